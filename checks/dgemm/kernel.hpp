// C = alpha A B + beta C for square matrices of order n, stored by columns.
#pragma once

#include "measure/section.hpp"

namespace dgemm {

void multiply(int n, double alpha, const double* a, const double* b, double beta, double* c);   // the BLAS
void reference(int n, double alpha, const double* a, const double* b, double beta, double* c);  // three loops
void multiply_small();  // makes the BLAS start its threads

// n^2 elements, each with n products and n - 1 sums, a scaling by alpha, one by beta and the sum of both: 2 n^3 + 2
// n^2. The rate is stated as everywhere with 2 n^3 alone. Bytes: each matrix read once, C written once.
inline tenken::Work work(std::int64_t n) {
  return {.flop = 2 * n * n * n, .bytes_read = 3 * 8 * n * n, .bytes_written = 8 * n * n};
}

}  // namespace dgemm
