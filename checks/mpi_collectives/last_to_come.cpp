#include "last_to_come.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "measure/clock.hpp"
#include "rank_tables.hpp"

namespace mpi_collectives {

LastToCome::LastToCome(const Participants& group, Windows& windows, double ns_per_tick)
    : group_(group), windows_(windows), ns_per_tick_(ns_per_tick) {
  calls_[0] = make_operation(Kind::barrier, group.comm(), 0);
  calls_[1] = make_operation(Kind::allreduce, group.comm(), bytes_of_word);
}

const std::vector<std::string>& LastToCome::names() {
  static const std::vector<std::string> all{"barrier", "allreduce"};
  return all;
}

void LastToCome::pass(bool timed, double delay_ns) {
  if (group_.size() < 2) return;
  const auto delay = static_cast<std::int64_t>(delay_ns / ns_per_tick_);
  for (int i = 0; i < std::min(group_.size(), turns_of_a_pass); ++i) {
    const bool last = turn_++ % group_.size() == group_.rank();
    for (std::size_t c = 0; c < calls_.size(); ++c) {
      calls_[c]->prepare(static_cast<std::uint64_t>(turn_));
      const auto call = [&] {
        const std::int64_t start = tenken::ticks_now();
        while (tenken::ticks_now() - start < delay) {
        }
        calls_[c]->run();
      };
      const Windows::Seen seen = windows_.run(call, last ? late_ns : 0.0);
      if (!timed || !last || !seen.all_in_time) continue;
      us_[c].push_back(static_cast<float>((static_cast<double>(seen.ticks) * ns_per_tick_ - seen.begun) / 1000));
    }
  }
}

std::vector<double> LastToCome::medians() const {
  std::vector<double> found;
  for (const std::vector<float>& one : us_)
    found.push_back(one.size() < fewest ? std::numeric_limits<double>::quiet_NaN() : median_of(one));
  return found;
}

}  // namespace mpi_collectives
