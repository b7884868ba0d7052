#include "trace.hpp"

#include "measure/clock.hpp"
#include "stamps.hpp"

namespace omp_overheads {

namespace {

void work() {
  std::uint64_t x = 1;
  for (int step = 0; step < traced_work; ++step) {
    x *= 6364136223846793005u;
    asm volatile("" : "+r"(x));
  }
}

}  // namespace

Trace::Trace(int threads, int repetitions)
    : stamps_(static_cast<std::size_t>(threads)),
      all_(constructs<Traced>().size(), std::vector<std::vector<std::int64_t>>(static_cast<std::size_t>(threads))) {
  for (std::size_t c = 0; c < all_.size(); ++c) {
    if (!constructs<Traced>()[c].traced) continue;
    for (auto& one : all_[c]) one.reserve(static_cast<std::size_t>(repetitions) * traced_instances);
  }
}

void Trace::add(std::size_t construct) {
  for (std::size_t thread = 0; thread < stamps_.size(); ++thread) {
    std::vector<std::int64_t>& own = all_[construct][thread];
    own.insert(own.end(), stamps_[thread].ticks.begin(), stamps_[thread].ticks.end());
  }
}

std::vector<double> Trace::medians(std::size_t construct) const {
  std::vector<double> medians;
  for (const std::vector<std::int64_t>& own : all_[construct]) medians.push_back(median_ticks(own));
  return medians;
}

void Traced::operator()(int slot, int instance) const {
  wait_for_all_before();
  const std::int64_t start = tenken::ticks_now();
  work();
  if (slot == held) spin(ticks);
  wait_for_all_before();
  trace.ticks(slot, instance) = tenken::ticks_now() - start;
  ++team.count(slot);
}

void Held::operator()(int slot, int instance) const {
  if (slot == held) spin(ticks);
  count(slot, instance);
}

}  // namespace omp_overheads
