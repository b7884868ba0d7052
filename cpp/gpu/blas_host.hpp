// Stands for the library where no card is used: an element of C, or a column of B, a thread.
#pragma once

#include <string>

#include "gpu/launch.hpp"

namespace tenken::gpu {
inline namespace on_host {

struct Product {
  static constexpr int threads = 64;
  int m, n, k;
  double alpha;
  const double* a;
  int lda;
  const double* b;
  int ldb;
  double beta;
  double* c;
  int ldc;

  void operator()(At at) const {
    const std::int64_t element = at.first();
    if (element >= std::int64_t{m} * n) return;
    const std::int64_t row = element % m, column = element / m;
    double sum = 0;
    for (std::int64_t i = 0; i < k; ++i) sum += a[i * lda + row] * b[column * ldb + i];
    double& result = c[column * ldc + row];
    result = beta == 0 ? alpha * sum : alpha * sum + beta * result;
  }
};

struct SolveUnitLower {
  static constexpr int threads = 64;
  int m, n;
  const double* l;
  int ldl;
  double* b;
  int ldb;

  void operator()(At at) const {
    if (at.first() >= n) return;
    double* const x = b + at.first() * ldb;
    for (std::int64_t k = 0; k < m; ++k) {
      for (std::int64_t i = k + 1; i < m; ++i) x[i] -= l[k * ldl + i] * x[k];
    }
  }
};

class Blas {
 public:
  static std::string name() { return "loops on the host"; }

  static void product(int m, int n, int k, double alpha, const double* a, int lda, const double* b, int ldb,
                      double beta, double* c, int ldc) {
    launch(blocks_for<Product>(std::int64_t{m} * n), Product{m, n, k, alpha, a, lda, b, ldb, beta, c, ldc});
  }
  static void solve_unit_lower(int m, int n, const double* l, int ldl, double* b, int ldb) {
    launch(blocks_for<SolveUnitLower>(n), SolveUnitLower{m, n, l, ldl, b, ldb});
  }
};

}  // namespace on_host
}  // namespace tenken::gpu
