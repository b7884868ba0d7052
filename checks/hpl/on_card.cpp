#include "on_card.hpp"

#include <algorithm>
#include <cstring>

#include "this_check.hpp"
#include "work.hpp"

namespace hpl {

using tenken::Section;

OnCard::OnCard(const Grid& grid, Matrix& matrix, int nb, int slots, device::Device& card)
    : grid_(grid), matrix_(matrix), card_(card) {
  card_.make_room({matrix.rows.count(), matrix.columns.count(), matrix.stride(), nb, slots});
}

double OnCard::host_bytes(int n, int nb, int p, int q, int slots) {
  const double rows = Cyclic{n, nb, p, 0}.count(), columns = Cyclic{n + 1, nb, q, 0}.count();
  const double panel = 8.0 * nb * (nb + rows) + 12.0 * nb;
  return slots * panel + 8.0 * nb * (rows + (p > 1 ? columns : 0.0));
}

// The queue stays full while the host sends panels on between two updates.
int OnCard::columns_at_once() const { return 8192; }

void OnCard::start() {
  work_.clear();
  card_.load(matrix_.at(0, 0));
}

void OnCard::take(int slot, const Panel& panel, const RowSwap& swap) {
  const Section s{this_check::section::lu_wait};
  const device::Shape shape{panel.width(),
                            matrix_.rows.begin(panel.first()),
                            panel.rows(),
                            matrix_.rows.owner(panel.first()) == grid_.row ? panel.width() : 0,
                            static_cast<int>(swap.rows_given().size()),
                            static_cast<int>(swap.rows_got().size()),
                            static_cast<int>(swap.rows_sent_away().size())};
  double* const to = card_.panel_of(slot);
  const double* const from = panel.top();
  const std::ptrdiff_t doubles = std::ptrdiff_t{panel.width()} * (panel.width() + panel.rows());
  constexpr std::ptrdiff_t block = 1 << 16;
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t i = 0; i < doubles; i += block)
    std::memcpy(to + i, from + i, static_cast<std::size_t>(std::min(block, doubles - i)) * sizeof(double));
  int* rows = card_.rows_of(slot);
  for (const std::vector<int>* const each : {&swap.rows_given(), &swap.rows_got(), &swap.rows_sent_away()})
    rows = std::copy(each->begin(), each->end(), rows);
  card_.set(slot, shape);
}

// Rows between processes pass the memory of the host.
void OnCard::exchange(int slot, RowSwap& swap, int first_column, int columns) {
  card_.give(slot, first_column, columns, swap.room_to_give(columns));
  const std::vector<int>& shares = swap.shares_sent_away();
  double* to = swap.room_to_send_away(columns);
  for (std::size_t part = 0, from = 0; part < shares.size(); ++part) {
    card_.send_away(slot, static_cast<int>(from), shares[part], first_column, columns, to);
    to += std::ptrdiff_t{shares[part]} * columns;
    from += static_cast<std::size_t>(shares[part]);
  }
  u_.resize(static_cast<std::size_t>(swap.width()) * static_cast<std::size_t>(columns));
  const double* const arrived = swap.exchange(columns, u_.data());
  card_.receive(slot, first_column, columns, u_.data(), arrived);
}

void OnCard::update(int slot, const Panel& panel, RowSwap& swap, int first_column, int columns) {
  const tenken::Work swapped = swap_work(swap, panel.width(), columns);
  if (grid_.p == 1) {
    card_.swap_alone(slot, first_column, columns);
    work_.push_back(swapped);
  } else {
    const Section s{this_check::section::lu_swap, swapped};
    exchange(slot, swap, first_column, columns);
  }
  card_.update(slot, first_column, columns);
  work_.push_back(update_work(grid_, matrix_, panel, columns));
}

void OnCard::read_later(int first_column, int columns) {
  read_column_ = first_column;
  read_columns_ = columns;
  if (columns > 0) card_.read_later(first_column, columns);
}

void OnCard::read() {
  if (read_columns_ == 0) return;
  const Section s{this_check::section::lu_wait};
  const double* const from = card_.arrived();
#pragma omp parallel for schedule(static)
  for (int c = 0; c < read_columns_; ++c) {
    std::memcpy(matrix_.at(0, read_column_ + c), from + c * matrix_.stride(),
                static_cast<std::size_t>(matrix_.rows.count()) * sizeof(double));
  }
}

void OnCard::finish() {
  // The right-hand side is in no panel.
  const int last = matrix_.columns.begin(matrix_.n());
  read_later(last, matrix_.columns.count() - last);
  read();
  std::vector<device::Timed> times;
  {
    const Section s{this_check::section::lu_wait};
    times = card_.times();
  }
  for (std::size_t i = 0; i < times.size(); ++i) {
    const auto section =
        times[i].part == device::Part::swap ? this_check::section::lu_swap : this_check::section::lu_update;
    tenken::add_sample(section, static_cast<std::int64_t>(times[i].ns / ns_per_tick_), work_[i]);
  }
  work_.clear();
}

}  // namespace hpl
