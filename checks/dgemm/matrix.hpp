#pragma once

#include <cstdint>

#include "base/buffer.hpp"
#include "base/random.hpp"

namespace dgemm {

// n x n numbers, uniform in [-1/2, 1/2). Every column is written first by the thread that OpenMP gives it; the pages
// are those that the system gives by itself, as to an application.
inline tenken::Buffer<double> random_matrix(std::int64_t n, std::uint64_t seed) {
  tenken::Buffer<double> matrix(static_cast<std::size_t>(n * n), tenken::Pages::any, "a matrix of dgemm");
  const tenken::RandomStream random(seed, 0);
#pragma omp parallel for schedule(static)
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = j * n; i < (j + 1) * n; ++i) matrix[i] = random.uniform(i) - 0.5;
  }
  return matrix;
}

}  // namespace dgemm
