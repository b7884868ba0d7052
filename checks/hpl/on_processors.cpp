#include "on_processors.hpp"

#include <cstring>

#include "blas.hpp"
#include "this_check.hpp"
#include "work.hpp"

namespace hpl {

using tenken::Section;

OnProcessors::OnProcessors(const Grid& grid, Matrix& matrix, int nb, int slots)
    : grid_(grid),
      matrix_(matrix),
      triangles_(static_cast<std::size_t>(slots), UnitLower(nb)),
      swapped_(static_cast<std::size_t>(nb) * static_cast<std::size_t>(matrix.columns.count()), tenken::Pages::huge,
               "rows that are swapped of hpl"),
      u_(swapped_.size(), tenken::Pages::huge, "rows of U of hpl") {}

// Few enough that a panel on its way moves on, many enough that products are as fast as large ones.
int OnProcessors::columns_at_once() const { return 1024; }

void OnProcessors::take(int slot, const Panel& panel, const RowSwap&) {
  const Section s{this_check::section::lu_update};
  triangles_[static_cast<std::size_t>(slot)].set(panel.top(), panel.width());
}

void OnProcessors::update(int slot, const Panel& panel, RowSwap& swap, int first_column, int columns) {
  const int width = panel.width();
  double* const u = u_.data();
  {
    const Section s{this_check::section::lu_swap, swap_work(swap, width, columns)};
    swap.run(first_column, columns, swapped_.data());
  }
  const Section s{this_check::section::lu_update, update_work(grid_, matrix_, panel, columns)};
  triangles_[static_cast<std::size_t>(slot)].solve(columns, swapped_.data(), u);
  const bool owner = matrix_.rows.owner(panel.first()) == grid_.row;
  const int first_row = matrix_.rows.begin(panel.first());
  const int above = owner ? width : 0;  // the rows of U themselves
  if (owner) {
#pragma omp parallel for schedule(static)
    for (int c = 0; c < columns; ++c) {
      std::memcpy(matrix_.at(first_row, first_column + c), u + static_cast<std::ptrdiff_t>(c) * width,
                  static_cast<std::size_t>(width) * sizeof(double));
    }
  }
  const int rows = panel.rows() - above;
  subtract_product(rows, columns, width, panel.lower() + above, panel.rows(), u, width,
                   matrix_.at(first_row + above, first_column), matrix_.stride());
}

}  // namespace hpl
