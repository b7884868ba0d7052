#include "last_to_come.hpp"

#include <omp.h>

#include <algorithm>
#include <limits>

#include "measure/clock.hpp"
#include "stamps.hpp"

namespace omp_overheads {

LastToCome::LastToCome(int threads, int repetitions, double ns_per_tick)
    : late_ticks_(static_cast<std::int64_t>(static_cast<double>(late_ns) / ns_per_tick)),
      of_threads_(static_cast<std::size_t>(threads)) {
  for (Samples& one : of_threads_) one.ticks.reserve(static_cast<std::size_t>(repetitions) * turns_of_a_thread);
}

void LastToCome::pass(bool timed, int delayed, std::int64_t ticks) {
  const int threads = static_cast<int>(of_threads_.size());
  if (threads < 2) return;
  const int turns = std::min(threads * turns_of_a_thread, turns_of_a_pass);
#pragma omp parallel num_threads(threads)
  {
    const int me = omp_get_thread_num();
    std::vector<std::int64_t>& own = of_threads_[static_cast<std::size_t>(me)].ticks;
    for (int turn = turn_; turn < turn_ + turns; ++turn) {
      const bool last = turn % threads == me;
#pragma omp barrier
      if (last) spin(late_ticks_);
      wait_for_all_before();
      const std::int64_t start = tenken::ticks_now();
      if (me == delayed) spin(ticks);
#pragma omp barrier
      wait_for_all_before();
      if (timed && last) own.push_back(tenken::ticks_now() - start);
    }
  }
  turn_ = (turn_ + turns) % threads;
}

std::vector<double> LastToCome::medians() const {
  std::vector<double> found;
  for (const Samples& one : of_threads_) {
    const bool enough = one.ticks.size() >= fewest_samples;
    found.push_back(enough ? median_ticks(one.ticks) : std::numeric_limits<double>::quiet_NaN());
  }
  return found;
}

}  // namespace omp_overheads
