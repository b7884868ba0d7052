#include "panel.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "blas.hpp"

namespace hpl {

namespace {

// Panels of so few columns are factored column by column.
constexpr int few = 8;

// Doubles at the front of a candidate: its size, its row, the width; then its row, then the row that makes way for it.
enum Front { magnitude, row, width, displaced, front };

void choose(void* in, void* in_and_out, int* count, MPI_Datatype*) {
  const auto* const other = static_cast<const double*>(in);
  auto* const best = static_cast<double*>(in_and_out);
  for (int one = 0; one < *count; ++one) {
    const auto n = static_cast<std::size_t>(best[width]);
    const bool larger =
        other[magnitude] > best[magnitude] || (other[magnitude] == best[magnitude] && other[row] < best[row]);
    if (larger) {
      best[magnitude] = other[magnitude];
      best[row] = other[row];
      std::memcpy(best + front, other + front, n * sizeof(double));
    }
    if (other[displaced] != 0) {
      best[displaced] = 1;
      std::memcpy(best + front + n, other + front + n, n * sizeof(double));
    }
  }
}

}  // namespace

Panel::Panel(int nb, int rows)
    : memory_(static_cast<std::size_t>(nb + 8) + static_cast<std::size_t>(nb) * static_cast<std::size_t>(nb + rows),
              tenken::Pages::huge, "a panel of hpl") {}

void Panel::shape(int first, int width, int rows) {
  first_ = first;
  width_ = width;
  rows_ = rows;
}

PanelFactor::PanelFactor(const Grid& grid, Matrix& matrix) : grid_(grid), matrix_(matrix) {
  MPI_Op_create(choose, 1, &op_);
}

PanelFactor::~PanelFactor() {
  if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
  MPI_Op_free(&op_);
}

void PanelFactor::run(Panel& panel, bool wrong_pivot) {
  panel_ = &panel;
  wrong_pivot_ = wrong_pivot;
  const int first_row = matrix_.rows.begin(panel.first());
  block_ = matrix_.at(first_row, matrix_.columns.begin(panel.first()));
  stride_ = matrix_.stride();
  rows_ = panel.rows();
  owner_ = matrix_.rows.owner(panel.first()) == grid_.row;
  panel.set_singular(-1);
  if (grid_.p > 1 && panel.width() != type_width_) {
    type_width_ = panel.width();
    const auto doubles = static_cast<std::size_t>(front + 2 * type_width_);
    mine_.assign(doubles, 0.0);
    best_.assign(doubles, 0.0);
    if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
    MPI_Type_contiguous(static_cast<int>(doubles), MPI_DOUBLE, &type_);
    MPI_Type_commit(&type_);
  }
  factor(0, panel.width());
  const auto height = static_cast<std::size_t>(rows_);
  for (int j = 0; j < panel.width(); ++j) {
    if (owner_) std::memcpy(column(j), panel.top() + j * panel.width(), static_cast<std::size_t>(panel.width()) * 8);
    if (rows_ > 0)
      std::memcpy(panel.lower() + static_cast<std::size_t>(j) * height, column(j), height * sizeof(double));
  }
}

void PanelFactor::factor(int from, int width) {
  if (width <= few) return factor_few(from, width);
  const int left = (width / 2 + few - 1) / few * few;
  const int right = width - left, middle = from + left;
  factor(from, left);
  const int n = panel_->width();
  double* const top = panel_->top();
  solve_unit_lower(left, right, top + from + from * n, n, top + from + middle * n, n);
  const int row = std::min(begin(middle), rows_);
  subtract_product(rows_ - row, right, left, column(from) + row, stride_, top + from + middle * n, n,
                   column(middle) + row, stride_);
  factor(middle, right);
}

// Each column is brought up to date when its turn comes: its rows in `top`, then those below in one pass over the few
// columns to its left.
void PanelFactor::factor_few(int from, int width) {
  const int n = panel_->width();
  double* const top = panel_->top();
  for (int j = from; j < from + width; ++j) {
    double* const here = column(j);
    double* const above = top + from + j * n;
    solve_unit_lower(j - from, 1, top + from + from * n, n, above, n);
    const int row = std::min(begin(j), rows_);
    subtract_product(rows_ - row, 1, j - from, column(from) + row, stride_, above, n, here + row, stride_);
    pivot(j);
    const double diagonal = top[j + j * n];
    if (diagonal == 0.0) {
      if (panel_->singular() < 0) panel_->set_singular(panel_->first() + j);
      continue;
    }
    for (int i = std::min(begin(j + 1), rows_); i < rows_; ++i) here[i] /= diagonal;
  }
}

// The local row, from `row` on, with the largest element, the first of equals; a number that is not finite is larger
// than all others, so that it cannot get lost. {-1, rows} where there are no rows.
PanelFactor::Largest PanelFactor::largest(const double* here, int row) const {
  // Sizes of doubles are ordered as their bits are without the sign, infinities and NaN last; and maxima of integers
  // may be taken in any order, so that compilers use vectors.
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x) & 0x7fffffffffffffffu; };
  std::uint64_t most = 0;
  for (int i = row; i < rows_; ++i) most = std::max(most, bits(here[i]));
  const double* const place = std::find_if(here + row, here + rows_, [&](double x) { return bits(x) == most; });
  const double magnitude = std::bit_cast<double>(most);
  return {row == rows_            ? -1.0
          : std::isnan(magnitude) ? std::numeric_limits<double>::infinity()
                                  : magnitude,
          static_cast<int>(place - here)};
}

// Finds the row of the largest element of column j, brings it to `top` and puts the row that was there in its place.
void PanelFactor::pivot(int j) {
  const int n = panel_->width();
  const int first_row = matrix_.rows.begin(panel_->first());
  const Largest found = largest(column(j), std::min(begin(j), rows_));
  double* const top_row = panel_->top() + j;
  if (grid_.p == 1) {
    panel_->set_pivot(j, matrix_.rows.global(first_row + found.row));
    for (int c = 0; c < n; ++c) {
      double* const elements = column(c);
      top_row[c * n] = elements[found.row];
      elements[found.row] = elements[j];
    }
  } else {
    const bool any = found.magnitude >= 0.0;
    mine_[magnitude] = found.magnitude;
    mine_[row] = any ? matrix_.rows.global(first_row + found.row) : matrix_.n();
    mine_[width] = n;
    mine_[displaced] = owner_ ? 1.0 : 0.0;
    double* const candidate = mine_.data() + front;
    for (int c = 0; c < n; ++c) {
      candidate[c] = any ? column(c)[found.row] : 0.0;
      candidate[n + c] = owner_ ? column(c)[j] : 0.0;
    }
    MPI_Allreduce(mine_.data(), best_.data(), 1, type_, op_, grid_.along_column);
    const int global = static_cast<int>(best_[row]);
    panel_->set_pivot(j, global);
    const bool here_now = matrix_.rows.owner(global) == grid_.row;
    const int place = matrix_.rows.local(global) - first_row;
    for (int c = 0; c < n; ++c) {
      top_row[c * n] = best_[static_cast<std::size_t>(front + c)];
      if (here_now) column(c)[place] = best_[static_cast<std::size_t>(front + n + c)];
    }
  }
  if (wrong_pivot_ && j == n / 2) panel_->set_pivot(j, panel_->first() + j);
}

std::int64_t panel_flop(const Matrix& matrix, int first, int width) {
  std::int64_t flop = 0;
  for (int j = 0; j < width; ++j) {
    const std::int64_t below = matrix.rows.count() - matrix.rows.begin(first + j + 1);
    flop += below * (1 + 2 * (width - 1 - j));
  }
  return flop;
}

}  // namespace hpl
