// Right-looking elimination of [A | b] with partial pivoting and a look-ahead of one panel: the processes that own the
// next panel update its columns first, factor it and send it off before they go on with the rest.
#pragma once

#include <array>
#include <vector>

#include "broadcast.hpp"
#include "swap.hpp"
#include "triangle.hpp"

namespace hpl {

struct Faults {
  bool wrong_pivot = false;  // one swap is told wrongly to the columns right of the panel
  bool stale_panel = false;  // the second panel's update uses the lower part of the first
};

class Elimination {
 public:
  Elimination(const Grid& grid, Matrix& matrix, int nb, Route route);

  // `matrix` becomes U, and b becomes L^-1 P b. Refuses, on every rank, a singular matrix, and names the column.
  void run(const Faults& faults = {});

  // Global row that step j swapped with row j, for all j; the same on every process.
  const std::vector<int>& pivots() const { return pivots_; }

  // Bytes of one process for its panels, rows of U and messages, in the worst case.
  static double bytes(int n, int nb, int p, int q);

 private:
  void factor(Panel& panel);
  void take(const Panel& panel);
  void update(const Panel& panel, int first_column, int columns);
  void update_all(const Panel& panel, int first_column);
  void shape(Panel& panel, int first) const;

  const Grid& grid_;
  Matrix& matrix_;
  int nb_;
  std::array<Panel, 2> panels_;
  PanelFactor factor_;
  Broadcast broadcast_;
  RowSwap swap_;
  tenken::Buffer<double> swapped_, u_;  // rows of the panel in all columns, then of U
  UnitLower triangle_;
  std::vector<int> pivots_;
  Faults faults_;
};

}  // namespace hpl
