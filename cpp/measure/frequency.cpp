#include "measure/frequency.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <cstddef>
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

constexpr int lanes = 8;  // sums that do not wait for each other: more than any core adds at once
constexpr int lane_rounds = 16;
constexpr int lane_loops = 512;  // x 128: as many additions as the chain has

inline void independent_additions() {
  std::uint64_t sum[lanes] = {};
  const std::uint64_t one = 1;
  std::uint64_t left = lane_loops;
#define TENKEN_SUMS                                                                                           \
  [a] "+r"(sum[0]), [b] "+r"(sum[1]), [c] "+r"(sum[2]), [d] "+r"(sum[3]), [e] "+r"(sum[4]), [f] "+r"(sum[5]), \
      [g] "+r"(sum[6]), [h] "+r"(sum[7]), [left] "+r"(left)
#if defined(__x86_64__)
  asm volatile(
      "1:\n\t"
      ".rept 16\n\t"
      "add %[one], %[a]\n\tadd %[one], %[b]\n\tadd %[one], %[c]\n\tadd %[one], %[d]\n\t"
      "add %[one], %[e]\n\tadd %[one], %[f]\n\tadd %[one], %[g]\n\tadd %[one], %[h]\n\t"
      ".endr\n\t"
      "dec %[left]\n\t"
      "jnz 1b"
      : TENKEN_SUMS
      : [one] "r"(one)
      : "cc");
#elif defined(__aarch64__)
  asm volatile(
      "1:\n\t"
      ".rept 16\n\t"
      "add %[a], %[a], %[one]\n\tadd %[b], %[b], %[one]\n\tadd %[c], %[c], %[one]\n\tadd %[d], %[d], %[one]\n\t"
      "add %[e], %[e], %[one]\n\tadd %[f], %[f], %[one]\n\tadd %[g], %[g], %[one]\n\tadd %[h], %[h], %[one]\n\t"
      ".endr\n\t"
      "subs %[left], %[left], #1\n\t"
      "b.ne 1b"
      : TENKEN_SUMS
      : [one] "r"(one)
      : "cc");
#else
  for (; left > 0; --left) {
    for (int i = 0; i < lane_rounds; ++i) {
      for (std::uint64_t& lane : sum) {
        lane += one;
        asm volatile("" : "+r"(lane));
      }
    }
  }
#endif
#undef TENKEN_SUMS
}

using Chain = void (*)();

struct Measured {
  Chain chain;
  double cycles;
};

#if defined(__x86_64__)

// The same chain with 12 multiply-adds beside each 13 additions: fewer than one a cycle, so that they never bind, also
// where a core has one unit of that width or takes two cycles for it. x = x/2 + 1/2 from 1 on, as the peak has it.
constexpr int vector_loops = 2520;  // x 26 additions: as many cycles

// clang-format off
#define TENKEN_FMA(REG, i) "vfmadd213pd %%" REG "13, %%" REG "13, %%" REG #i "\n\tadd %[one], %[sum]\n\t"
#define TENKEN_FMAS(REG) TENKEN_FMA(REG, 0) TENKEN_FMA(REG, 1) TENKEN_FMA(REG, 2) TENKEN_FMA(REG, 3) TENKEN_FMA(REG, 4) \
  TENKEN_FMA(REG, 5) TENKEN_FMA(REG, 6) TENKEN_FMA(REG, 7) TENKEN_FMA(REG, 8) TENKEN_FMA(REG, 9) TENKEN_FMA(REG, 10)    \
  TENKEN_FMA(REG, 11) "add %[one], %[sum]\n\t"
#define TENKEN_VECTOR_CHAIN(NAME, REG)                                                                                  \
  void NAME() {                                                                                                         \
    const double half = 0.5;                                                                                            \
    std::uint64_t sum = 0, left = vector_loops;                                                                         \
    const std::uint64_t one = 1;                                                                                        \
    asm volatile("vbroadcastsd %[half], %%" REG "13\n\t"                                                                \
                 "1:\n\t" TENKEN_FMAS(REG) TENKEN_FMAS(REG) "dec %[left]\n\t"                                          \
                 "jnz 1b\n\t"                                                                                           \
                 "vzeroupper"                                                                                           \
                 : [sum] "+r"(sum), [left] "+r"(left)                                                                   \
                 : [one] "r"(one), [half] "m"(half)                                                                     \
                 : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",       \
                   "xmm11", "xmm13");                                                                                   \
  }
TENKEN_VECTOR_CHAIN(avx512_chain, "zmm")
TENKEN_VECTOR_CHAIN(avx2_chain, "ymm")
// clang-format on

Measured measured(Beside beside) {
  __builtin_cpu_init();
  if (beside == Beside::widest_vectors && __builtin_cpu_supports("avx512f")) return {avx512_chain, 26.0 * vector_loops};
  if (beside == Beside::widest_vectors && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return {avx2_chain, 26.0 * vector_loops};
  return {addition_chain, static_cast<double>(unrolled) * loops};
}

#else

Measured measured(Beside) { return {addition_chain, static_cast<double>(unrolled) * loops}; }

#endif

template <class T, std::size_t n>
T middle(std::array<T, n>& each) {
  std::nth_element(each.begin(), each.begin() + n / 2, each.end());
  return each[n / 2];
}

}  // namespace

bool has_widest_vectors() { return measured(Beside::widest_vectors).chain != addition_chain; }

double core_frequency_hz(double ns_per_tick, Beside beside) {
  const auto [chain, cycles] = measured(beside);
  std::array<std::int64_t, 5> each{};
  for (std::int64_t& ticks : each) {
    const std::int64_t start = ticks_now();
    chain();
    ticks = ticks_now() - start;
  }
  return cycles / (static_cast<double>(middle(each)) * ns_per_tick * 1e-9);
}

double core_additions_per_cycle() {
  constexpr double cycles = static_cast<double>(unrolled) * loops;
  constexpr double additions = static_cast<double>(lanes) * lane_rounds * lane_loops;
  std::array<double, 5> each{};
  for (double& one : each) {
    const std::int64_t start = ticks_now();
    addition_chain();
    const std::int64_t between = ticks_now();
    independent_additions();
    const auto rest = static_cast<double>(ticks_now() - between);
    one = additions / rest * (static_cast<double>(between - start) / cycles);
  }
  return middle(each);
}

double team_additions_per_cycle(int threads) {
  double least = std::numeric_limits<double>::infinity();
#pragma omp parallel num_threads(threads) reduction(min : least)
  least = std::min(least, core_additions_per_cycle());
  return least;
}

double team_frequency_hz(int threads, double ns_per_tick, Beside beside) {
  double sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  sum += core_frequency_hz(ns_per_tick, beside);
  return sum / threads;
}

}  // namespace tenken
