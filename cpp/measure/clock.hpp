// The clock of every sample: the invariant time-stamp counter where there is one, else the steady clock.
#pragma once

#include <cstdint>
#include <string_view>

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <ctime>
#endif

namespace tenken {

// Ticks of the hardware counter. Not serialising: a section of less than about 100 ns blurs into its neighbours.
inline std::int64_t ticks_now() noexcept {
#if defined(__x86_64__)
  return static_cast<std::int64_t>(__builtin_ia32_rdtsc());
#elif defined(__aarch64__)
  std::int64_t ticks;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
#endif
}

std::int64_t monotonic_ns() noexcept;

// False where the counter may change its rate or stop (no invariant time-stamp counter): then timings cannot be
// trusted.
bool counter_is_invariant();

// Relates ticks to CLOCK_MONOTONIC over the life of the program.
class Clock {
 public:
  Clock();  // first calibration, about 10 ms

  std::string_view source() const { return source_; }
  double ns_per_tick() const { return ns_per_tick_; }

  // Second calibration: relative difference between the rate seen at start and the rate over the whole life.
  double drift() const;

 private:
  std::string_view source_;
  std::int64_t ticks_ = 0;
  std::int64_t ns_ = 0;
  double ns_per_tick_ = 1.0;
};

}  // namespace tenken
