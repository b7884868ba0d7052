#include "measure/clock.hpp"

#include <ctime>
#include <limits>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace tenken {

std::int64_t monotonic_ns() noexcept {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * std::int64_t{1000000000} + now.tv_nsec;
}

bool counter_is_invariant() {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 &&
         (d & (1u << 8)) != 0;  // "invariant TSC", both vendors' manuals
#else
  return true;
#endif
}

namespace {

struct Pair {
  std::int64_t ticks;
  std::int64_t ns;
};

// The pair whose two counter readings around the system clock lie closest together.
Pair read_both() {
  Pair best{0, 0};
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < 20; ++i) {
    const std::int64_t before = ticks_now();
    const std::int64_t ns = monotonic_ns();
    const std::int64_t after = ticks_now();
    if (after - before < least) {
      least = after - before;
      best = {before + (after - before) / 2, ns};
    }
  }
  return best;
}

}  // namespace

Clock::Clock() {
#if defined(__x86_64__)
  source_ = "tsc";
#elif defined(__aarch64__)
  source_ = "cntvct";
#else
  source_ = "steady";
#endif
  const Pair first = read_both();
  while (monotonic_ns() - first.ns < 10'000'000) {
  }
  const Pair second = read_both();
  ticks_ = first.ticks;
  ns_ = first.ns;
  ns_per_tick_ = static_cast<double>(second.ns - first.ns) / static_cast<double>(second.ticks - first.ticks);
}

double Clock::drift() const {
  const Pair now = read_both();
  const double over_life = static_cast<double>(now.ns - ns_) / static_cast<double>(now.ticks - ticks_);
  return over_life / ns_per_tick_ - 1.0;
}

}  // namespace tenken
