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

  // Local rows of this process: those that it gives to U, those that it gets, and those that it sends away, process by
  // process, with the number of each process. In one process the latter come to rows_got() one by one.
  const std::vector<int>& rows_given() const { return rows_given_; }
  const std::vector<int>& rows_got() const { return rows_got_; }
  const std::vector<int>& rows_sent_away() const { return rows_sent_away_; }
  const std::vector<int>& shares_sent_away() const { return shares_sent_away_; }
  int width() const { return width_; }

  // run() for rows that are not in the matrix of the host, between processes: the rows to give and those to send away,
  // process by process, are written here first, each rows x columns by columns. exchange() fills `u` and returns the
  // rows that arrived, in the order of rows_got(), rows x columns by columns.
  double* room_to_give(int columns);
  double* room_to_send_away(int columns);
  const double* exchange(int columns, double* u);

  // Bytes that this process sends and receives for so many columns.
  std::int64_t bytes_sent(int columns) const;
  std::int64_t bytes_received(int columns) const;

 private:
  void run_alone(int first_column, int columns, double* u);

  const Grid& grid_;
  Matrix& matrix_;
  SwapRoom& room_;
  int width_ = 0, owner_ = 0;
  std::vector<std::vector<int>> gives_;  // by process row: the rows of U that it gives
  std::vector<int> gets_;                // by process row: how many rows it gets
  std::vector<int> rows_given_, rows_got_, rows_sent_away_, shares_sent_away_;
};

}  // namespace hpl
