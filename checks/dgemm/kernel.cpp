#include "kernel.hpp"

#include <cblas.h>

#include <vector>

namespace dgemm {

void multiply(int n, double alpha, const double* a, const double* b, double beta, double* c) {
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, alpha, a, n, b, n, beta, c, n);
}

void multiply_small() {
  constexpr int n = 384;
  const std::vector<double> a(std::size_t{n} * n, 1.0);
  std::vector<double> c(a.size());
  multiply(n, 1.0, a.data(), a.data(), 0.0, c.data());
}

}  // namespace dgemm
