#include <cstddef>

#include "kernel.hpp"

namespace dgemm {

void reference(int n, double alpha, const double* a, const double* b, double beta, double* c) {
  const auto order = static_cast<std::size_t>(n);
  for (std::size_t j = 0; j < order; ++j) {
    for (std::size_t i = 0; i < order; ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < order; ++k) sum += a[i + k * order] * b[k + j * order];
      c[i + j * order] = alpha * sum + beta * c[i + j * order];
    }
  }
}

}  // namespace dgemm
