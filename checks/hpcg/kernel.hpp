// The kernels of the reference: natural order, without MPI and without timing.
#pragma once

#include "base/work.hpp"
#include "numerics/csr.hpp"

namespace tenken::hpcg {

// One symmetric Gauss-Seidel sweep of A x = r, forwards then backwards, in the order of the rows: each row in turn is
// solved for its own x with the newest of the others. By one thread, as each row needs the one before. diagonal: places
// of the diagonal's entries in the matrix.
void symmetric_gauss_seidel(const Csr<double>& a, const std::int64_t* diagonal, const double* r, double* x);

// Places of the diagonal's entries. The matrix must have all of them.
Buffer<std::int64_t> diagonal_places(const Csr<double>& a);

// Two passes, each with a product and a sum an entry; one division each a row.
constexpr Work gauss_seidel_work(std::int64_t rows, std::int64_t columns, std::int64_t entries) {
  return {.flop = 4 * entries,
          .bytes_read = 2 * (12 * entries + 8 * (rows + 1) + 8 * rows + 8 * rows + 8 * columns),
          .bytes_written = 2 * 8 * rows};
}

}  // namespace tenken::hpcg
