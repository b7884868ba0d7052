#include "process_grid.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace tenken::hpcg {

namespace {

struct Power {
  int prime, exponent;
};

// Primes ascend.
std::vector<Power> factors_of(int number) {
  std::vector<Power> factors;
  for (int prime = 2; number > 1; ++prime) {
    if (prime > number / prime) prime = number;  // what is left is a prime
    Power power{prime, 0};
    for (; number % prime == 0; number /= prime) ++power.exponent;
    if (power.exponent > 0) factors.push_back(power);
  }
  return factors;
}

int power_of(int base, int exponent) {
  int value = 1;
  for (int n = 0; n < exponent; ++n) value *= base;
  return value;
}

// The exponent of the smallest prime rises first.
std::vector<int> divisors_of(const std::vector<Power>& factors) {
  std::vector<int> divisors{1};
  for (const Power& one : factors) {
    const std::size_t before = divisors.size();
    for (int exponent = 1; exponent <= one.exponent; ++exponent) {
      for (std::size_t n = 0; n < before; ++n) divisors.push_back(divisors[n] * power_of(one.prime, exponent));
    }
  }
  return divisors;
}

Index<3> least_surface(int ranks, const std::vector<int>& divisors) {
  Index<3> best{};
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const int x : divisors) {
    for (const int y : divisors) {
      if (x == 1 || y == 1 || ranks / x % y != 0) continue;
      const std::int64_t z = ranks / x / y, surface = std::int64_t{x} * y + y * z + x * z;
      if (surface >= least) continue;
      least = surface;
      best = {x, y, static_cast<int>(z)};
    }
  }
  return best;
}

}  // namespace

Index<3> reference_grid(int ranks) {
  const std::vector<Power> factors = factors_of(ranks);
  if (factors.empty()) return {1, 1, 1};
  if (factors.size() == 1) {
    const auto [prime, exponent] = factors[0];
    return {power_of(prime, (exponent + 2) / 3), power_of(prime, (exponent + 1) / 3), power_of(prime, exponent / 3)};
  }
  int count = 0;
  for (const Power& one : factors) count += one.exponent;
  const int x = factors[0].prime, y = factors[1].prime;
  if (count <= 3) return {x, y, ranks / x / y};
  return least_surface(ranks, divisors_of(factors));
}

}  // namespace tenken::hpcg
