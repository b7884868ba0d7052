#include "solve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "blas.hpp"

namespace hpl {

std::vector<double> solve(const Grid& grid, const Matrix& matrix, int nb) {
  const int n = matrix.n();
  const auto local_rows = static_cast<std::size_t>(matrix.rows.count());
  // By local row: y (on the column of the grid that has it) less the products known here.
  std::vector<double> left(local_rows, 0.0);
  if (matrix.columns.owner(n) == grid.column) {
    const double* const y = matrix.at(0, matrix.columns.local(n));
    std::copy(y, y + local_rows, left.begin());
  }
  std::vector<double> x(static_cast<std::size_t>(n), 0.0), piece(static_cast<std::size_t>(nb));
  std::vector<double> known(local_rows, 0.0);
  for (int first = (n - 1) / nb * nb; first >= 0; first -= nb) {
    const int width = std::min(nb, n - first);
    const int row = matrix.rows.owner(first), column = matrix.columns.owner(first);
    const int above = matrix.rows.begin(first);
    if (grid.row == row) {
      MPI_Reduce(left.data() + above, piece.data(), width, MPI_DOUBLE, MPI_SUM, column, grid.along_row);
    }
    if (grid.column != column) continue;
    const double* const block = matrix.at(above, matrix.columns.begin(first));
    if (grid.row == row) solve_upper(width, block, matrix.stride(), piece.data());
    MPI_Bcast(piece.data(), width, MPI_DOUBLE, row, grid.along_column);
    std::copy_n(piece.data(), width, x.data() + first);
    std::fill_n(known.begin(), above, 0.0);
    add_product(above, width, matrix.at(0, matrix.columns.begin(first)), matrix.stride(), piece.data(), known.data());
    for (int i = 0; i < above; ++i) left[static_cast<std::size_t>(i)] -= known[static_cast<std::size_t>(i)];
  }
  // Each column of the grid knows the x of its columns.
  MPI_Allreduce(MPI_IN_PLACE, x.data(), n, MPI_DOUBLE, MPI_SUM, grid.along_row);
  return x;
}

// A division an unknown, a product and a difference for each element above the diagonal; U and y are read once.
tenken::Work solve_work(const Grid& grid, const Matrix& matrix) {
  std::int64_t above = 0, diagonal = 0;
  const int columns = matrix.columns.begin(matrix.n());
  for (int c = 0; c < columns; ++c) {
    const int global = matrix.columns.global(c);
    above += matrix.rows.begin(global);
    diagonal += matrix.rows.owner(global) == grid.row ? 1 : 0;
  }
  return {.flop = 2 * above + diagonal, .bytes_read = 8 * (above + diagonal), .bytes_written = 8 * diagonal};
}

double scaled_residual(const Grid& grid, int nb, const Elements& elements, const std::vector<double>& x) {
  const int n = elements.n();
  const Cyclic rows{n, nb, grid.p, grid.row}, columns{n, nb, grid.q, grid.column};
  const int local_rows = rows.count(), local_columns = columns.count();
  // Sums by local row: of A x, and of |A|.
  std::vector<double> sums(2 * static_cast<std::size_t>(local_rows), 0.0);
  constexpr int block = 512;  // rows of one share
#pragma omp parallel for schedule(static)
  for (int begin = 0; begin < local_rows; begin += block) {
    const int end = std::min(begin + block, local_rows);
    for (int c = 0; c < local_columns; ++c) {
      const int j = columns.global(c);
      const Elements::Column column = elements.column(j);
      for (int r = begin; r < end; ++r) {
        const double element = column(rows.global(r));
        sums[static_cast<std::size_t>(r)] += element * x[static_cast<std::size_t>(j)];
        sums[static_cast<std::size_t>(local_rows + r)] += std::abs(element);
      }
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), 2 * local_rows, MPI_DOUBLE, MPI_SUM, grid.along_row);
  double norms[4] = {0, 0, 0, 0};  // of the residual, A, b, x
  const auto take = [](double& norm, double value) {
    if (!(std::abs(value) <= norm))
      norm = std::isfinite(value) ? std::abs(value) : std::numeric_limits<double>::infinity();
  };
  const Elements::Column b = elements.column(n);
  for (int r = 0; r < local_rows; ++r) {
    const double right = b(rows.global(r));
    take(norms[0], sums[static_cast<std::size_t>(r)] - right);
    take(norms[1], sums[static_cast<std::size_t>(local_rows + r)]);
    take(norms[2], right);
  }
  for (const double one : x) take(norms[3], one);
  MPI_Allreduce(MPI_IN_PLACE, norms, 4, MPI_DOUBLE, MPI_MAX, grid.along_column);
  const double scale = std::numeric_limits<double>::epsilon() * n * (norms[1] * norms[3] + norms[2]);
  const double residual = norms[0] / scale;
  return std::isfinite(residual) ? residual : std::numeric_limits<double>::infinity();
}

}  // namespace hpl
