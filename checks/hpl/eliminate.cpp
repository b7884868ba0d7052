#include "eliminate.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "blas.hpp"
#include "this_check.hpp"
#include "work.hpp"

namespace hpl {

using tenken::Section;

namespace {

// Columns that are updated between two looks at the panel on its way: few enough that it moves on, many enough that
// products are as fast as large ones.
constexpr int columns_at_once = 1024;

}  // namespace

Elimination::Elimination(const Grid& grid, Matrix& matrix, int nb, Route route)
    : grid_(grid),
      matrix_(matrix),
      nb_(nb),
      panels_{Panel(nb, matrix.rows.count()), Panel(nb, matrix.rows.count())},
      factor_(grid, matrix),
      broadcast_(grid, route),
      swap_(grid, matrix),
      swapped_(static_cast<std::size_t>(nb) * static_cast<std::size_t>(matrix.columns.count()), tenken::Pages::huge,
               "rows that are swapped of hpl"),
      u_(swapped_.size(), tenken::Pages::huge, "rows of U of hpl"),
      triangle_(nb) {}

double Elimination::bytes(int n, int nb, int p, int q) {
  const double rows = Cyclic{n, nb, p, 0}.count(), columns = Cyclic{n + 1, nb, q, 0}.count();
  const double panel = nb + 8.0 + static_cast<double>(nb) * (nb + rows);
  const double messages = p > 1 ? 4.0 * nb * columns : 0.0;
  return 8.0 * (2.0 * panel + 2.0 * nb * columns + messages);
}

void Elimination::shape(Panel& panel, int first) const {
  panel.shape(first, std::min(nb_, matrix_.n() - first), matrix_.rows.count() - matrix_.rows.begin(first));
}

void Elimination::factor(Panel& panel) {
  const Section s{this_check::section::lu_panel, panel_work(matrix_, panel)};
  factor_.run(panel, std::exchange(faults_.wrong_pivot, false));
}

// A panel has arrived: its pivots are known.
void Elimination::take(const Panel& panel) {
  if (panel.singular() >= 0) {
    tenken::impossible("the matrix is singular: column " + std::to_string(panel.singular()) +
                       " has no pivot; choose --matrix random");
  }
  for (int j = 0; j < panel.width(); ++j) pivots_.push_back(panel.pivot(j));
  swap_.set(panel);
  const Section s{this_check::section::lu_update};
  triangle_.set(panel.top(), panel.width());
}

void Elimination::update(const Panel& panel, int first_column, int columns) {
  if (columns == 0) return;
  const int width = panel.width();
  double* const u = u_.data();
  {
    const Section s{this_check::section::lu_swap, swap_work(swap_, width, columns)};
    swap_.run(first_column, columns, swapped_.data());
  }
  const Section s{this_check::section::lu_update, update_work(grid_, matrix_, panel, columns)};
  triangle_.solve(columns, swapped_.data(), u);
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

void Elimination::update_all(const Panel& panel, int first_column) {
  const int end = matrix_.columns.count();
  const int step = grid_.q > 1 ? columns_at_once : std::max(end, 1);
  for (int c = first_column; c < end; c += step) {
    update(panel, c, std::min(step, end - c));
    const Section s{this_check::section::lu_broadcast};
    broadcast_.progress();
  }
}

void Elimination::run(const Faults& faults) {
  faults_ = faults;
  pivots_.clear();
  const int n = matrix_.n();
  Panel* now = &panels_[0];
  Panel* next = &panels_[1];
  const auto send = [&](Panel& panel) {
    const int root = matrix_.columns.owner(panel.first());
    const Section s{this_check::section::lu_broadcast, broadcast_work(grid_, panel, root)};
    broadcast_.start(panel, root);
  };
  const auto finish = [&] {
    const Section s{this_check::section::lu_broadcast};
    broadcast_.finish();
  };
  shape(*now, 0);
  if (matrix_.columns.owner(0) == grid_.column) factor(*now);
  send(*now);
  finish();
  for (int first = 0; first < n; first += nb_) {
    take(*now);
    const int after = now->first() + now->width();
    int column = matrix_.columns.begin(after);
    if (after >= n) {
      update_all(*now, column);  // what is right of the last panel: b
      return;
    }
    shape(*next, after);
    if (faults_.stale_panel && first == nb_) {
      std::memcpy(now->lower(), next->lower(), sizeof(double) * static_cast<std::size_t>(next->rows()));
    }
    if (matrix_.columns.owner(after) == grid_.column) {
      const int ahead = matrix_.columns.begin(after + next->width()) - column;
      update(*now, column, ahead);
      column += ahead;
      factor(*next);
    }
    send(*next);
    update_all(*now, column);
    finish();
    std::swap(now, next);
  }
}

}  // namespace hpl
