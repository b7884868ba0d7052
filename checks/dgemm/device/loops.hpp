// Stands for the library where no card is used: an element of C a thread.
#pragma once

#include <string>

#include "gpu/launch.hpp"

namespace dgemm::device::on_host {

struct Product {
  static constexpr int threads = 64;
  int n;
  double alpha, beta;
  const double *a, *b;
  double* c;

  void operator()(tenken::gpu::At at) const {
    const std::int64_t element = at.first();
    if (element >= std::int64_t{n} * n) return;
    const std::int64_t row = element % n, column = element / n;
    double sum = 0;
    for (std::int64_t k = 0; k < n; ++k) sum += a[k * n + row] * b[column * n + k];
    c[element] = alpha * sum + beta * c[element];
  }
};

class Blas {
 public:
  static std::string name() { return "loops on the host"; }
  static void multiply(int n, double alpha, const double* a, const double* b, double beta, double* c) {
    tenken::gpu::launch(tenken::gpu::blocks_for<Product>(std::int64_t{n} * n), Product{n, alpha, beta, a, b, c});
  }
};

}  // namespace dgemm::device::on_host
