#include "measure/frequency.hpp"

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "measure/clock.hpp"

namespace tenken {

namespace {

constexpr int unrolled = 32;
constexpr int loops = 2048;  // 65,536 cycles: 18 to 33 us

// Register plus register: newer cores fold chains of additions of constants at rename, these they do not.
inline void addition_chain() {
  std::uint64_t sum = 0;
  const std::uint64_t one = 1;
  std::uint64_t left = loops;
#if defined(__x86_64__)
  asm volatile(
      "1:\n\t"
      ".rept 32\n\t"
      "add %[one], %[sum]\n\t"
      ".endr\n\t"
      "dec %[left]\n\t"
      "jnz 1b"
      : [sum] "+r"(sum), [left] "+r"(left)
      : [one] "r"(one)
      : "cc");
#elif defined(__aarch64__)
  asm volatile(
      "1:\n\t"
      ".rept 32\n\t"
      "add %[sum], %[sum], %[one]\n\t"
      ".endr\n\t"
      "subs %[left], %[left], #1\n\t"
      "b.ne 1b"
      : [sum] "+r"(sum), [left] "+r"(left)
      : [one] "r"(one)
      : "cc");
#else
  for (; left > 0; --left) {
    for (int i = 0; i < unrolled; ++i) {
      sum += one;
      asm volatile("" : "+r"(sum));
    }
  }
#endif
}

}  // namespace

double core_frequency_hz(double ns_per_tick) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < 5; ++i) {
    const std::int64_t start = ticks_now();
    addition_chain();
    least = std::min(least, ticks_now() - start);
  }
  return static_cast<double>(unrolled) * loops / (static_cast<double>(least) * ns_per_tick * 1e-9);
}

double team_frequency_hz(int threads, double ns_per_tick) {
  double sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  sum += core_frequency_hz(ns_per_tick);
  return sum / threads;
}

}  // namespace tenken
