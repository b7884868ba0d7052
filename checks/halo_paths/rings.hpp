// Who exchanges planes with whom.
#pragma once

#include "route.hpp"

namespace halo_paths {

// Ranks in rows and columns: rows is the largest divisor of `ranks` up to its root.
struct Grid {
  int rows = 1, columns = 1;
};

constexpr Grid grid_of(int ranks) {
  Grid grid{1, ranks};
  for (int rows = 2; rows * rows <= ranks; ++rows) {
    if (ranks % rows == 0) grid = {rows, ranks / rows};
  }
  return grid;
}

// One ring of all ranks.
constexpr Ring ring_of_all(int rank, int ranks) { return {(rank + ranks - 1) % ranks, (rank + 1) % ranks}; }

// The rings of a rank through its row and through its column. Where a row or a column has one rank, both are the ring
// of all ranks.
struct Rings {
  Ring row, column;
};

constexpr Rings rings_of(int rank, int ranks) {
  const Grid grid = grid_of(ranks);
  if (grid.rows == 1) return {ring_of_all(rank, ranks), ring_of_all(rank, ranks)};
  const int row = rank / grid.columns, column = rank % grid.columns;
  const Ring in_row = ring_of_all(column, grid.columns), in_column = ring_of_all(row, grid.rows);
  return {{row * grid.columns + in_row.lower, row * grid.columns + in_row.upper},
          {in_column.lower * grid.columns + column, in_column.upper * grid.columns + column}};
}

}  // namespace halo_paths
