// Matrix products and triangular solves on matrices in the memory of the card, stored by columns; queued. On a card by
// the library of its maker, else in loops on the host. Programs that include this need cmake/requires/cublas.cmake.
//
//   Blas blas;                  of the chosen card
//   name()                      library and version
//   product(m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)   C = alpha A B + beta C; C is m x n, A m x k
//   solve_unit_lower(m, n, l, ldl, b, ldb)                  B = L^-1 B; L unit lower triangular of order m, B m x n
#pragma once

#include "gpu/form.hpp"

#if TENKEN_GPU_ON_CARD
#include "gpu/blas_cublas.hpp"
#else
#include "gpu/blas_host.hpp"
#endif
