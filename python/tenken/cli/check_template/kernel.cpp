#include "kernel.hpp"

namespace NAME {

void fill(std::span<double> x, std::span<double> y) {
  const std::size_t n = x.size();
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = start_of_x(i);
    y[i] = 0.0;
  }
}

void axpy(double a, std::span<const double> x, std::span<double> y) {
  const std::size_t n = x.size();
  const double* const in = x.data();
  double* const out = y.data();
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < n; ++i) out[i] = a * in[i] + out[i];
}

}  // namespace NAME
