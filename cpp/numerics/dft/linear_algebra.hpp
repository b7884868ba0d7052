// The few calls of BLAS and LAPACK that subspaces need; matrices are column-major.
#pragma once

#include <cstdint>
#include <vector>

#include "numerics/dft/system.hpp"

namespace tenken::dft {

// While it lives, the BLAS works on the calling thread alone, where it is one that can be told (OpenBLAS, MKL): threads
// of ours call it at the same time.
class BlasOnOneThread {
 public:
  BlasOnOneThread();
  ~BlasOnOneThread();
  BlasOnOneThread(const BlasOnOneThread&) = delete;
  BlasOnOneThread& operator=(const BlasOnOneThread&) = delete;

 private:
  void (*set_)(int) = nullptr;
  int before_ = 1;
};

// c[m x n] = alpha conj(a)^T b, a [rows x m] and b [rows x n], all with leading dimensions.
void inner_products(std::int64_t rows, std::int64_t m, std::int64_t n, double alpha, const double* a, std::int64_t lda,
                    const double* b, std::int64_t ldb, double* c, std::int64_t ldc);
void inner_products(std::int64_t rows, std::int64_t m, std::int64_t n, double alpha, const Complex* a, std::int64_t lda,
                    const Complex* b, std::int64_t ldb, Complex* c, std::int64_t ldc);

// c[rows x n] = alpha a[rows x m] b[m x n] + beta c.
void combine(std::int64_t rows, std::int64_t m, std::int64_t n, double alpha, const double* a, std::int64_t lda,
             const double* b, std::int64_t ldb, double beta, double* c, std::int64_t ldc);
void combine(std::int64_t rows, std::int64_t m, std::int64_t n, double alpha, const Complex* a, std::int64_t lda,
             const Complex* b, std::int64_t ldb, double beta, Complex* c, std::int64_t ldc);

// Eigenvalues in rising order of a Hermitian n x n matrix, whose lower half is read; the matrix becomes the
// eigenvectors. False where LAPACK found none.
bool diagonalise(std::int64_t n, Complex* matrix, std::vector<double>& values);
bool diagonalise(std::int64_t n, double* matrix, std::vector<double>& values);  // symmetric

// Factor R, upper, of a Hermitian positive definite n x n matrix R^H R, whose upper half is read and overwritten. False
// where it is not positive definite.
bool cholesky(std::int64_t n, Complex* matrix);
// x[rows x n] = x R^-1, R of cholesky().
void divide(std::int64_t rows, std::int64_t n, const Complex* r, Complex* x, std::int64_t ldx);

}  // namespace tenken::dft
