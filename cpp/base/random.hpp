// Counter-based random numbers: the n-th number of a stream is a pure function of (seed, stream, n), so a field filled
// with global site numbers as counters is the same on any number of ranks and threads.
//
// The mixing function is the finaliser of SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number
// generators", OOPSLA 2014), applied three times over seed, stream and counter.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "base/mix64.hpp"

namespace tenken {

class RandomStream {
 public:
  constexpr RandomStream(std::uint64_t seed, std::uint64_t stream) : key_(mix64(mix64(seed) ^ stream)) {}

  constexpr std::uint64_t bits(std::uint64_t n) const { return mix64(key_ ^ mix64(n)); }

  // Uniform in [0, 1), 53 bits.
  constexpr double uniform(std::uint64_t n) const { return static_cast<double>(bits(n) >> 11) * 0x1.0p-53; }

  // Normal with mean 0 and variance 1 (Box-Muller); uses the counters 2n and 2n+1.
  double normal(std::uint64_t n) const {
    const double u = 1.0 - uniform(2 * n);
    const double v = uniform(2 * n + 1);
    return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
  }

 private:
  std::uint64_t key_;
};

}  // namespace tenken
