// Updates on a card, on a copy of the matrix there. Panels are read from it, factored by the processors and copied
// back. At the end the matrix of the host has U.
#pragma once

#include <vector>

#include "device/device.hpp"
#include "measure/clock.hpp"
#include "measure/section.hpp"
#include "trailing.hpp"

namespace hpl {

class OnCard final : public Trailing {
 public:
  OnCard(const Grid& grid, Matrix& matrix, int nb, int slots, device::Device& card);

  // Bytes of the host of one process for copies, in the worst case.
  static double host_bytes(int n, int nb, int p, int q, int slots);

  bool queued() const override { return true; }
  int columns_at_once() const override;
  void start() override;
  void take(int slot, const Panel& panel, const RowSwap& swap) override;
  void update(int slot, const Panel& panel, RowSwap& swap, int first_column, int columns) override;
  void read_later(int first_column, int columns) override;
  void read() override;
  void finish() override;

 private:
  void exchange(int slot, RowSwap& swap, int first_column, int columns);

  const Grid& grid_;
  Matrix& matrix_;
  device::Device& card_;
  double ns_per_tick_ = tenken::Clock().ns_per_tick();
  std::vector<tenken::Work> work_;  // of the samples whose times the card has
  std::vector<double> u_;           // between processes: rows of U in the columns of an update
  int read_column_ = 0, read_columns_ = 0;
};

}  // namespace hpl
