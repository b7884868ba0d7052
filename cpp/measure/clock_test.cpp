// Clock and frequency against what the system tells and what another chain of additions shows.
#include "measure/clock.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <limits>
#include <string>

#include "base/tree.hpp"
#include "measure/frequency.hpp"

using namespace tenken;

#if defined(__x86_64__)

namespace {

// Ticks of 65,536 dependent additions, the fewest of some tries: what interrupts add is not among them.
std::int64_t fewest_ticks() {
  std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < 10; ++i) {
    std::uint64_t sum = 0, left = 4096;
    const std::uint64_t one = 1;
    const std::int64_t start = ticks_now();
    asm volatile(
        "1:\n\t"
        ".rept 16\n\t"
        "add %[one], %[sum]\n\t"
        ".endr\n\t"
        "dec %[left]\n\t"
        "jnz 1b"
        : [sum] "+r"(sum), [left] "+r"(left)
        : [one] "r"(one)
        : "cc");
    fewest = std::min(fewest, ticks_now() - start);
  }
  return fewest;
}

}  // namespace

TEST_CASE("the frequency is that which a chain of another shape shows") {
  const double ns_per_tick = Clock().ns_per_tick();
  double told = 0;
  std::int64_t ticks = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < 40; ++i) {  // in turn: the clock may move
    told = std::max(told, core_frequency_hz(ns_per_tick));
    ticks = std::min(ticks, fewest_ticks());
  }
  CHECK(told == doctest::Approx(65536 / (static_cast<double>(ticks) * ns_per_tick * 1e-9)).epsilon(0.02));
}

TEST_CASE("the counter is the processor's, and invariant where the kernel finds it so") {
  CHECK(Clock().source() == "tsc");
  const std::string flags = value_of(Tree("/").lines("/proc/cpuinfo"), "flags", ':').value_or("");
  if (flags.find("nonstop_tsc") != std::string::npos) CHECK(counter_is_invariant());
}

TEST_CASE("vectors whose clock is measured apart are AVX2 with FMA, or AVX-512") {
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  CHECK(has_widest_vectors() == (avx2 || __builtin_cpu_supports("avx512f")));
}

#endif

TEST_CASE("a team has the mean of the frequencies of its cores") {
  const double ns_per_tick = Clock().ns_per_tick();
  const double one = core_frequency_hz(ns_per_tick);
  for (const int threads : {1, 3}) {
    const double team = team_frequency_hz(threads, ns_per_tick);
    CHECK(team > one / 3);  // cores of several kinds may be in one node
    CHECK(team < 2 * one);
  }
}

TEST_CASE("the system's clock goes on in nanoseconds of its own") {
  const std::int64_t before = monotonic_ns();
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const std::int64_t between = now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
  CHECK(before <= between);
  CHECK(between <= monotonic_ns());
}
