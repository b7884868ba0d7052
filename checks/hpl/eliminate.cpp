#include "eliminate.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "on_card.hpp"
#include "on_processors.hpp"
#include "this_check.hpp"
#include "work.hpp"

namespace hpl {

using tenken::Section;

Elimination::Slot::Slot(const Grid& grid, Matrix& matrix, int nb, Route route, int number, SwapRoom& room)
    : panel(nb, matrix.rows.count()), broadcast(grid, route, number), swap(grid, matrix, room) {}

Elimination::Elimination(const Grid& grid, Matrix& matrix, int nb, Route route, int depth, device::Device* card)
    : grid_(grid),
      matrix_(matrix),
      nb_(nb),
      depth_(depth),
      panels_((matrix.n() + nb - 1) / nb),
      route_(route),
      factor_(grid, matrix) {
  for (int number = 0; number <= depth; ++number) {
    slots_.push_back(std::make_unique<Slot>(grid, matrix, nb, route, number, room_));
  }
  if (card == nullptr) {
    trailing_ = std::make_unique<OnProcessors>(grid, matrix, nb, depth + 1);
  } else {
    trailing_ = std::make_unique<OnCard>(grid, matrix, nb, depth + 1, *card);
  }
}

double Elimination::bytes(int n, int nb, int p, int q, int depth, bool on_card) {
  const double rows = Cyclic{n, nb, p, 0}.count(), columns = Cyclic{n + 1, nb, q, 0}.count();
  const double panel = nb + 8.0 + static_cast<double>(nb) * (nb + rows);
  const double messages = p > 1 ? 4.0 * nb * columns : 0.0;
  const double updates = on_card ? OnCard::host_bytes(n, nb, p, q, depth + 1) : 16.0 * nb * columns;
  return 8.0 * ((depth + 1) * panel + messages) + updates;
}

// Collective over all processes: panel `panel` gets the updates that its columns lack.
void Elimination::bring_up_to_date(int panel) {
  const int first = first_of(panel), width = std::min(nb_, matrix_.n() - first);
  slot(panel).panel.shape(first, width, matrix_.rows.count() - matrix_.rows.begin(first));
  if (matrix_.columns.owner(first) != grid_.column) return;
  const int column = matrix_.columns.begin(first), columns = matrix_.columns.begin(first + width) - column;
  for (int before = std::max(0, panel - depth_); before < panel; ++before) {
    take(before);
    update(before, column, columns);
  }
  trailing_->read_later(column, columns);
}

// Collective over all processes.
void Elimination::factor_and_send(int panel) {
  Slot& here = slot(panel);
  const int root = matrix_.columns.owner(first_of(panel));
  if (root == grid_.column) {
    trailing_->read();
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
  plant_stale_panel(panel);
  trailing_->take(number_of(panel), here.panel, here.swap);
}

// All processes come here with the same panels on their way, which are received before.
void Elimination::refuse_singular(int panel) {
  const int column = slot(panel).panel.singular();
  if (column < 0) return;
  for (int each = panel + 1; each < sent_; ++each) slot(each).broadcast.finish();
  tenken::impossible("the matrix is singular: column " + std::to_string(column) +
                     " has no pivot; choose --matrix random");
}

void Elimination::update(int panel, int first_column, int columns) {
  if (columns == 0) return;
  trailing_->update(number_of(panel), slot(panel).panel, slot(panel).swap, first_column, columns);
}

void Elimination::update_all(int panel, int first_column) {
  const int end = matrix_.columns.count();
  const int step = grid_.q > 1 ? trailing_->columns_at_once() : std::max(end, 1);
  for (int c = first_column; c < end; c += step) {
    update(panel, c, std::min(step, end - c));
    const Section s{this_check::section::lu_broadcast};
    for (int each = taken_; each < sent_; ++each) this->slot(each).broadcast.progress();
  }
}

// A planted mistake: the updates of the second panel use the lower part of the first.
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
  trailing_->start();
  const auto prepare = [&](int panel) {
    bring_up_to_date(panel);
    factor_and_send(panel);
  };
  for (int panel = 0; panel < std::min(depth_, panels_); ++panel) prepare(panel);
  for (int panel = 0; panel < panels_; ++panel) {
    const int ahead = panel + depth_;
    // Queued updates run while the panel ahead is factored; else it is factored first, so that it travels meanwhile.
    const bool later = trailing_->queued() && depth_ > 0 && ahead < panels_;
    if (later) bring_up_to_date(ahead);
    if (!later && ahead < panels_) prepare(ahead);
    take(panel);
    refuse_singular(panel);
    // The columns of the panels up to the one ahead have this update; what is right of the last panel is b.
    const int ready = std::min(first_of(std::min(ahead + 1, panels_)), matrix_.n());
    update_all(panel, matrix_.columns.begin(ready));
    if (later) factor_and_send(ahead);
  }
  trailing_->finish();
}

}  // namespace hpl
