#include <cblas.h>

#include <algorithm>

#include "variants.hpp"

namespace NAME {

void axpy_library(double a, std::span<const double> x, std::span<double> y) {
  constexpr std::size_t most = 1U << 30;  // BLAS counts in int
  for (std::size_t first = 0; first < x.size(); first += most) {
    const auto n = static_cast<int>(std::min(most, x.size() - first));
    cblas_daxpy(n, a, x.data() + first, 1, y.data() + first, 1);
  }
}

}  // namespace NAME
