#include "kernel.hpp"

#include <bit>
#include <cmath>
#include <vector>

#include "base/random.hpp"

namespace same_answer {

namespace {

std::uint64_t folded(std::span<const double> values) {
  std::uint64_t sum = 0;
  for (const double value : values) sum = tenken::mix64(sum ^ std::bit_cast<std::uint64_t>(value));
  return sum;
}

}  // namespace

std::uint64_t fma_answer(int steps) {
  // a becomes 3.9 a (1 - a), a chaotic map of (0, 1): no bit of it ever settles. So no bit of x = a x + b does. But x
  // forgets old values as its factors are below 1; the checksum takes it before that.
  constexpr int remembered = 32;
  std::array<double, fma_chains> x{};
  std::uint64_t sum = 0;
  double a = 0.7310585786300049;
  for (int step = 0; step < steps; ++step) {
    const double grown = 3.9 * a;
    a = std::fma(-grown, a, grown);
    const double b = std::fma(a, a, 0.3678794411714423);
    for (std::size_t chain = 0; chain < fma_chains; ++chain) {
      x[chain] = std::fma(x[chain], a, b + static_cast<double>(chain));
    }
    if (step % remembered == remembered - 1) sum = tenken::mix64(sum ^ folded(x));
  }
  return sum;
}

std::uint64_t gemm_answer() {
  constexpr std::size_t n = gemm_order;
  static thread_local std::vector<double> a(n * n), b(n * n), c(n * n);
  const tenken::RandomStream stream(1, 0);
  for (std::size_t i = 0; i < n * n; ++i) {
    a[i] = stream.uniform(2 * i) - 0.5;
    b[i] = stream.uniform(2 * i + 1) - 0.5;
    c[i] = 0;
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      const double factor = a[i * n + k];
      for (std::size_t j = 0; j < n; ++j) c[i * n + j] = std::fma(factor, b[k * n + j], c[i * n + j]);
    }
  }
  return folded(c);
}

std::uint64_t integer_answer() {
  std::uint64_t z = 0;
  for (std::uint64_t i = 0; i < 50000; ++i) z = tenken::mix64(z ^ i) + std::rotl(z, static_cast<int>(i % 64));
  return z;
}

std::uint64_t memory_answer(std::span<std::uint64_t> words) {
  constexpr std::array<std::uint64_t, march_patterns> patterns{0, 0x5555555555555555u, 0x0123456789abcdefu,
                                                               0xff00ff00ff00ff00u};
  std::uint64_t sum = 0;
  for (const std::uint64_t pattern : patterns) {
    volatile std::uint64_t* const memory = words.data();  // every access happens
    const std::size_t n = words.size();
    for (std::size_t i = 0; i < n; ++i) memory[i] = pattern ^ i;
    for (std::size_t i = 0; i < n; ++i) {
      sum = std::rotl(sum, 1) ^ memory[i];
      memory[i] = ~(pattern ^ i);
    }
    for (std::size_t i = n; i-- > 0;) sum = std::rotl(sum, 1) ^ memory[i];
  }
  return sum;
}

}  // namespace same_answer
