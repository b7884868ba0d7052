// Moments of one thread, in ticks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "measure/clock.hpp"

namespace omp_overheads {

inline void spin(std::int64_t ticks) {
  const std::int64_t start = tenken::ticks_now();
  while (tenken::ticks_now() - start < ticks) {
  }
}

// Out-of-order cores would start the work before, and read the clock while it still runs.
inline void wait_for_all_before() {
#if defined(__x86_64__)
  __builtin_ia32_lfence();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#endif
}

// NaN of none.
inline double median_ticks(std::vector<std::int64_t> samples) {
  if (samples.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return static_cast<double>(*middle);
}

}  // namespace omp_overheads
