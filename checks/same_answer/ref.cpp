#include "ref.hpp"

#include <bit>
#include <cmath>

#include "base/random.hpp"
#include "device/device.hpp"
#include "kernel.hpp"

namespace same_answer {

namespace {

using device::threads;
using Lanes = std::vector<std::uint64_t>;

Lanes fma_lanes() {
  Lanes lanes(threads);
  for (int thread = 0; thread < threads; ++thread) {
    for (int chain = 0; chain < device::fma_chains; ++chain) {
      double x = (1.0 + thread + chain * threads) / (2.0 + device::fma_chains * threads);
      for (int step = 0; step < device::fma_steps; ++step) {
        const double grown = device::fma_growth * x;
        x = std::fma(-grown, x, grown);
      }
      auto& lane = lanes[static_cast<std::size_t>(thread)];
      lane = std::rotl(lane, 1) ^ std::bit_cast<std::uint64_t>(x);
    }
  }
  return lanes;
}

Lanes gemm_lanes() {
  constexpr std::size_t n = gemm_order;
  const std::vector<double> a = factor_of_gemm(0), b = factor_of_gemm(1);
  std::vector<double> c(n * n);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) c[i * n + j] = std::fma(a[i * n + k], b[k * n + j], c[i * n + j]);
  Lanes lanes(threads);
  for (std::size_t element = 0; element < c.size(); ++element) {
    std::uint64_t& lane = lanes[element % threads];
    lane = std::rotl(lane, 1) ^ std::bit_cast<std::uint64_t>(c[element]);
  }
  return lanes;
}

Lanes integer_lanes() {
  Lanes lanes(threads);
  for (std::uint64_t thread = 0; thread < threads; ++thread) {
    std::uint64_t z = thread;
    for (std::uint64_t i = 0; i < device::integer_steps; ++i)
      z = tenken::mix64(z ^ i) + std::rotl(z, static_cast<int>(i % 64));
    lanes[thread] = z;
  }
  return lanes;
}

}  // namespace

std::vector<double> factor_of_gemm(int which) {
  std::vector<double> elements(std::size_t{gemm_order} * gemm_order);
  const tenken::RandomStream stream(1, 0);
  for (std::size_t i = 0; i < elements.size(); ++i)
    elements[i] = stream.uniform(2 * i + static_cast<std::size_t>(which)) - 0.5;
  return elements;
}

Lanes right_lanes(std::size_t kernel, std::int64_t words) {
  switch (kernel) {
    case 0:
      return fma_lanes();
    case 1:
      return gemm_lanes();
    case 2:
      return integer_lanes();
    default:
      break;
  }
  Lanes memory(static_cast<std::size_t>(words));
  return Lanes(threads, memory_answer(memory));
}

std::uint64_t answer_of(const std::uint64_t* lanes) {
  std::uint64_t answer = 0;
  for (int thread = 0; thread < threads; ++thread) answer = tenken::mix64(answer ^ lanes[thread]);
  return answer;
}

}  // namespace same_answer
