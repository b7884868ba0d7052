#include <algorithm>
#include <cstdint>

#include "variants.hpp"

// kernel.f90
extern "C" void NAME_axpy(std::int64_t n, double a, const double* x, double* y);

namespace NAME {

void axpy_fortran(double a, std::span<const double> x, std::span<double> y) {
  constexpr std::int64_t piece = 4096;  // elements of a call
  const auto n = static_cast<std::int64_t>(x.size());
  const double* const in = x.data();
  double* const out = y.data();
#pragma omp parallel for schedule(static)
  for (std::int64_t first = 0; first < n; first += piece) {
    NAME_axpy(std::min(piece, n - first), a, in + first, out + first);
  }
}

}  // namespace NAME
