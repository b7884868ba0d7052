// Right-looking elimination of [A | b] with partial pivoting and a look-ahead of `depth` panels: the processes that own
// the panel `depth` panels ahead update its columns first, factor it and send it off before they go on with the rest.
// Depth 0 factors a panel when all updates before it are done. Where updates are queued on a card, the panel is
// factored while they run.
#pragma once

#include <memory>
#include <vector>

#include "broadcast.hpp"
#include "device/device.hpp"
#include "trailing.hpp"

namespace hpl {

struct Faults {
  bool wrong_pivot = false;  // one swap is told wrongly to the columns right of the panel
  bool stale_panel = false;  // the second panel's update uses the lower part of the first
};

class Elimination {
 public:
  // `depth`: from 0 on. `card`: where the updates work; null: on the processors.
  Elimination(const Grid& grid, Matrix& matrix, int nb, Route route, int depth = 1, device::Device* card = nullptr);

  // `matrix` becomes U, and b becomes L^-1 P b. Refuses, on every rank, a singular matrix, and names the column.
  void run(const Faults& faults = {});

  // Global row that step j swapped with row j, for all j; the same on every process.
  const std::vector<int>& pivots() const { return pivots_; }

  // Bytes of the host of one process for its panels, rows of U and messages, in the worst case.
  static double bytes(int n, int nb, int p, int q, int depth, bool on_card);

 private:
  // A panel with what its update needs. Panel k has the slot k mod (depth + 1).
  struct Slot {
    Slot(const Grid& grid, Matrix& matrix, int nb, Route route, int number, SwapRoom& room);
    Panel panel;
    Broadcast broadcast;
    RowSwap swap;
  };

  int number_of(int panel) const { return panel % (depth_ + 1); }
  Slot& slot(int panel) { return *slots_[static_cast<std::size_t>(number_of(panel))]; }
  void bring_up_to_date(int panel);
  void factor_and_send(int panel);
  void factor(Panel& panel);
  void take(int panel);
  void refuse_singular(int panel);
  void update(int panel, int first_column, int columns);
  void update_all(int panel, int first_column);
  void plant_stale_panel(int panel);
  int first_of(int panel) const { return panel * nb_; }

  const Grid& grid_;
  Matrix& matrix_;
  int nb_, depth_, panels_;
  Route route_;
  SwapRoom room_;
  std::vector<std::unique_ptr<Slot>> slots_;
  PanelFactor factor_;
  std::unique_ptr<Trailing> trailing_;
  int taken_ = 0, sent_ = 0;  // panels that have arrived, and that are at least on their way
  std::vector<int> pivots_;
  Faults faults_;
  std::vector<double> stale_;  // of a planted fault: the lower part of the first panel
};

}  // namespace hpl
