// The columns right of the panels: where they are stored, and how they get the updates of a panel.
#pragma once

#include "panel.hpp"
#include "swap.hpp"

namespace hpl {

class Trailing {
 public:
  virtual ~Trailing() = default;

  // Whether updates are only queued, so that the next panel may be factored while they run.
  virtual bool queued() const = 0;
  // Columns of one update, at most, where panels are on their way meanwhile.
  virtual int columns_at_once() const = 0;

  virtual void start() = 0;  // the matrix has been filled
  // A panel has arrived, and `swap` has its moves. Its slot is free again.
  virtual void take(int slot, const Panel& panel, const RowSwap& swap) = 0;
  // Collective over the column of the grid: local columns get the update of the panel of this slot.
  virtual void update(int slot, const Panel& panel, RowSwap& swap, int first_column, int columns) = 0;

  // These columns, as they are after all updates until now, are needed in the matrix of the host; read() waits for
  // them.
  virtual void read_later(int first_column, int columns) = 0;
  virtual void read() = 0;

  virtual void finish() = 0;  // all updates are done, and their times counted
};

}  // namespace hpl
