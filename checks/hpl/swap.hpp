// The row swaps of a panel, all at once, in columns to its right.
#pragma once

#include <vector>

#include "panel.hpp"

namespace hpl {

// Where the rows of a panel's swaps come from and go to. Positions from first on; pure.
struct Moves {
  // Row j of U is the row that stands at global row `source[j]` before the swaps.
  std::vector<int> source;
  // Rows below the panel that get one of the rows first .. first+width-1.
  struct Down {
    int from, to;  // global rows
  };
  std::vector<Down> down;
};
Moves moves_of(const Panel& panel);

// Messages of a swap, which swaps that take turns share.
struct SwapRoom {
  std::vector<double> sent, gathered, away, arrived;
};

// Brings the rows that pivoting chose into `u` (width x columns, stored by columns) on every process of the column of
// the grid, and those that make way to where they belong.
class RowSwap {
 public:
  RowSwap(const Grid& grid, Matrix& matrix, SwapRoom& room) : grid_(grid), matrix_(matrix), room_(room) {}

  void set(const Panel& panel);                        // before any columns of this panel
  void run(int first_column, int columns, double* u);  // local columns; collective over the column of the grid

  // Bytes that this process sends and receives for so many columns.
  std::int64_t bytes_sent(int columns) const;
  std::int64_t bytes_received(int columns) const;

 private:
  void run_alone(int first_column, int columns, double* u);

  const Grid& grid_;
  Matrix& matrix_;
  SwapRoom& room_;
  int width_ = 0, owner_ = 0;
  Moves moves_;
  // By process row: the rows of U that it holds, and the rows that it gets.
  std::vector<std::vector<int>> gives_, gets_;
};

}  // namespace hpl
