#include "matrix.hpp"

#include <algorithm>

namespace hpl {

namespace {

// Columns begin at lines of their own, and never a multiple of 4 KiB apart: those would share sets of the caches.
std::ptrdiff_t stride_of(int rows) {
  const std::ptrdiff_t line = 8;
  const std::ptrdiff_t padded = (std::max(rows, 1) + line - 1) / line * line;
  return padded % 512 == 0 ? padded + line : padded;
}

}  // namespace

Matrix::Matrix(const Grid& grid, int n, int nb)
    : rows{n, nb, grid.p, grid.row},
      columns{n + 1, nb, grid.q, grid.column},
      stride_(stride_of(rows.count())),
      data_(static_cast<std::size_t>(stride_ * columns.count()), tenken::Pages::huge, "the matrix of hpl") {}

void Matrix::fill(const Elements& elements) {
  const int local_rows = rows.count();
  const int local_columns = columns.count();
#pragma omp parallel for schedule(static)
  for (int c = 0; c < local_columns; ++c) {
    const Elements::Column column = elements.column(columns.global(c));
    double* const to = at(0, c);
    for (int r = 0; r < local_rows; ++r) to[r] = column(rows.global(r));
  }
}

double Matrix::bytes(int n, int nb, int p, int q) {
  return 8.0 * static_cast<double>(stride_of(Cyclic{n, nb, p, 0}.count())) * Cyclic{n + 1, nb, q, 0}.count();
}

}  // namespace hpl
