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

Elimination::Slot::Slot(const Grid& grid, Matrix& matrix, int nb, Route route, int number, SwapRoom& room)
    : panel(nb, matrix.rows.count()), broadcast(grid, route, number), swap(grid, matrix, room), triangle(nb) {}

Elimination::Elimination(const Grid& grid, Matrix& matrix, int nb, Route route, int depth)
    : grid_(grid),
      matrix_(matrix),
      nb_(nb),
      depth_(depth),
      panels_((matrix.n() + nb - 1) / nb),
      route_(route),
      factor_(grid, matrix),
      swapped_(static_cast<std::size_t>(nb) * static_cast<std::size_t>(matrix.columns.count()), tenken::Pages::huge,
               "rows that are swapped of hpl"),
      u_(swapped_.size(), tenken::Pages::huge, "rows of U of hpl") {
  for (int number = 0; number <= depth; ++number) {
    slots_.push_back(std::make_unique<Slot>(grid, matrix, nb, route, number, room_));
  }
}

double Elimination::bytes(int n, int nb, int p, int q, int depth) {
  const double rows = Cyclic{n, nb, p, 0}.count(), columns = Cyclic{n + 1, nb, q, 0}.count();
  const double panel = nb + 8.0 + static_cast<double>(nb) * (nb + rows);
  const double messages = p > 1 ? 4.0 * nb * columns : 0.0;
  return 8.0 * ((depth + 1) * panel + 2.0 * nb * columns + messages);
}

// Collective over all processes: panel `panel` gets the updates that its columns lack, is factored and sent off.
void Elimination::prepare(int panel) {
  Slot& here = slot(panel);
  const int first = first_of(panel), width = std::min(nb_, matrix_.n() - first);
  here.panel.shape(first, width, matrix_.rows.count() - matrix_.rows.begin(first));
  const int root = matrix_.columns.owner(first);
  if (root == grid_.column) {
    const int column = matrix_.columns.begin(first), columns = matrix_.columns.begin(first + width) - column;
    for (int before = std::max(0, panel - depth_); before < panel; ++before) {
      take(before);
      update(slot(before), column, columns);
    }
    factor(here.panel);
  }
  const Section s{this_check::section::lu_broadcast, broadcast_work(grid_, route_, here.panel, root)};
  here.broadcast.start(here.panel, root);
  sent_ = panel + 1;
}

void Elimination::factor(Panel& panel) {
  const Section s{this_check::section::lu_panel, panel_work(matrix_, panel)};
  factor_.run(panel, std::exchange(faults_.wrong_pivot, false));
}

// Waits for a panel, so that its pivots are known. Panels are taken in their order.
void Elimination::take(int panel) {
  if (panel < taken_) return;
  Slot& here = slot(panel);
  {
    const Section s{this_check::section::lu_broadcast};
    here.broadcast.finish();
  }
  taken_ = panel + 1;
  for (int j = 0; j < here.panel.width(); ++j) pivots_.push_back(here.panel.pivot(j));
  here.swap.set(here.panel);
  const Section s{this_check::section::lu_update};
  here.triangle.set(here.panel.top(), here.panel.width());
}

// All processes come here with the same panels on their way, which are received before.
void Elimination::refuse_singular(int panel) {
  const int column = slot(panel).panel.singular();
  if (column < 0) return;
  for (int each = panel + 1; each < sent_; ++each) slot(each).broadcast.finish();
  tenken::impossible("the matrix is singular: column " + std::to_string(column) +
                     " has no pivot; choose --matrix random");
}

void Elimination::update(Slot& slot, int first_column, int columns) {
  if (columns == 0) return;
  const Panel& panel = slot.panel;
  const int width = panel.width();
  double* const u = u_.data();
  {
    const Section s{this_check::section::lu_swap, swap_work(slot.swap, width, columns)};
    slot.swap.run(first_column, columns, swapped_.data());
  }
  const Section s{this_check::section::lu_update, update_work(grid_, matrix_, panel, columns)};
  slot.triangle.solve(columns, swapped_.data(), u);
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

void Elimination::update_all(Slot& slot, int first_column) {
  const int end = matrix_.columns.count();
  const int step = grid_.q > 1 ? columns_at_once : std::max(end, 1);
  for (int c = first_column; c < end; c += step) {
    update(slot, c, std::min(step, end - c));
    const Section s{this_check::section::lu_broadcast};
    for (int each = taken_; each < sent_; ++each) this->slot(each).broadcast.progress();
  }
}

// A planted mistake: the second panel's last update uses the lower part of the first.
void Elimination::plant_stale_panel(int panel) {
  if (!faults_.stale_panel || panel > 1) return;
  Panel& here = slot(panel).panel;
  const std::size_t size = static_cast<std::size_t>(here.rows()) * static_cast<std::size_t>(here.width());
  if (panel == 0) {
    stale_.assign(here.lower(), here.lower() + size);
  } else {
    std::copy_n(stale_.begin(), std::min(size, stale_.size()), here.lower());
  }
}

void Elimination::run(const Faults& faults) {
  faults_ = faults;
  pivots_.clear();
  taken_ = sent_ = 0;
  for (int panel = 0; panel < std::min(depth_, panels_); ++panel) prepare(panel);
  for (int panel = 0; panel < panels_; ++panel) {
    if (panel + depth_ < panels_) prepare(panel + depth_);
    take(panel);
    refuse_singular(panel);
    plant_stale_panel(panel);
    // The columns of the panels that were prepared have this update; what is right of the last panel is b.
    const int ready = std::min(first_of(sent_), matrix_.n());
    update_all(slot(panel), matrix_.columns.begin(ready));
  }
}

}  // namespace hpl
