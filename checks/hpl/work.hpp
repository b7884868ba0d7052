// Work of the sections. Together they are the operations that the elimination of a system of n equations takes,
// 2/3 n^3 + 3/2 n^2 - 7/6 n; the benchmark's formula leaves out the last term. Rows of U are computed on every process
// of a column of the grid and counted once.
#pragma once

#include "measure/section.hpp"
#include "panel.hpp"
#include "swap.hpp"

namespace hpl {

inline tenken::Work panel_work(const Matrix& matrix, const Panel& panel) {
  const std::int64_t elements = std::int64_t{panel.rows()} * panel.width();
  return {.flop = panel_flop(matrix, panel.first(), panel.width()),
          .bytes_read = 8 * elements,
          .bytes_written = 16 * elements};
}

// In one process rows are only moved: read and written. Between processes: bytes received and sent.
inline tenken::Work swap_work(const RowSwap& swap, int width, int columns) {
  const std::int64_t sent = swap.bytes_sent(columns), received = swap.bytes_received(columns);
  const std::int64_t moved = std::int64_t{8} * width * columns;
  return {.bytes_read = moved + received, .bytes_written = moved + sent, .messages = sent > 0 ? 2 : 0};
}

// Triangle solved: width (width - 1) a column; product: 2 width a column and row below.
inline tenken::Work update_work(const Grid& grid, const Matrix& matrix, const Panel& panel, std::int64_t columns) {
  const bool owner = matrix.rows.owner(panel.first()) == grid.row;
  const std::int64_t width = panel.width();
  const std::int64_t rows = panel.rows() - (owner ? width : 0);
  return {.flop = columns * (2 * width * rows + (owner ? width * (width - 1) : 0)),
          .bytes_read = 8 * (columns * (rows + width) + width * (rows + width)),
          .bytes_written = 8 * columns * (rows + width)};
}

}  // namespace hpl
