// Updates by the BLAS of the processors, on the matrix itself.
#pragma once

#include <vector>

#include "base/buffer.hpp"
#include "trailing.hpp"
#include "triangle.hpp"

namespace hpl {

class OnProcessors final : public Trailing {
 public:
  OnProcessors(const Grid& grid, Matrix& matrix, int nb, int slots);

  bool queued() const override { return false; }
  int columns_at_once() const override;
  void start() override {}
  void take(int slot, const Panel& panel, const RowSwap& swap) override;
  void update(int slot, const Panel& panel, RowSwap& swap, int first_column, int columns) override;
  void read_later(int, int) override {}
  void read() override {}
  void finish() override {}

 private:
  const Grid& grid_;
  Matrix& matrix_;
  std::vector<UnitLower> triangles_;    // by slot
  tenken::Buffer<double> swapped_, u_;  // rows of the panel in all columns, then of U
};

}  // namespace hpl
