// The calls of BLAS that the elimination is made of, on matrices stored by columns.
#pragma once

#include <cblas.h>

#include <cstddef>

namespace hpl {

// C -= A B; C is m x n, A m x k.
inline void subtract_product(int m, int n, int k, const double* a, std::ptrdiff_t lda, const double* b,
                             std::ptrdiff_t ldb, double* c, std::ptrdiff_t ldc) {
  if (m == 0 || n == 0 || k == 0) return;
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k, -1.0, a, static_cast<int>(lda), b,
              static_cast<int>(ldb), 1.0, c, static_cast<int>(ldc));
}

// C = A B; C is m x n, A m x k.
inline void product(int m, int n, int k, const double* a, std::ptrdiff_t lda, const double* b, std::ptrdiff_t ldb,
                    double* c, std::ptrdiff_t ldc) {
  if (m == 0 || n == 0) return;
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1.0, a, static_cast<int>(lda), b,
              static_cast<int>(ldb), 0.0, c, static_cast<int>(ldc));
}

// B = L^-1 B; L unit lower triangular of order m, B m x n.
inline void solve_unit_lower(int m, int n, const double* l, std::ptrdiff_t ldl, double* b, std::ptrdiff_t ldb) {
  if (m == 0 || n == 0) return;
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, m, n, 1.0, l, static_cast<int>(ldl), b,
              static_cast<int>(ldb));
}

// x = U^-1 x; U upper triangular of order n.
inline void solve_upper(int n, const double* u, std::ptrdiff_t ldu, double* x) {
  cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, n, u, static_cast<int>(ldu), x, 1);
}

// y += A x; A m x n.
inline void add_product(int m, int n, const double* a, std::ptrdiff_t lda, const double* x, double* y) {
  if (m == 0 || n == 0) return;
  cblas_dgemv(CblasColMajor, CblasNoTrans, m, n, 1.0, a, static_cast<int>(lda), x, 1, 1.0, y, 1);
}

}  // namespace hpl
