// The cells of a rank: its regions of the grid and the halo around them.
#pragma once

#include <cstdint>
#include <vector>

#include "grid.hpp"
#include "parallel/neighbours.hpp"

namespace atmosphere {

// 10 * 4^r squares of 2^(g-r) x 2^(g-r) cells of a diamond, numbered diamond by diamond and row by row; the north pole
// belongs to the first region, the south pole to the last.
struct Regions {
  int grid_level = 0, level = 0;

  int count() const { return diamonds << (2 * level); }
  int of(std::int64_t cell) const;
};

// Regions of a rank: a run of region numbers, as many on each rank as possible.
int first_region(const Regions& regions, int rank, int ranks);
int rank_of_region(const Regions& regions, int region, int ranks);

struct Patch {
  std::int64_t own = 0;             // items of cells of this rank, first
  std::vector<std::int32_t> cells;  // cell of each item: own cells region by region, then the halo by rank and cell
  // Items of the neighbours of own cells: [slot][item]. Slot 5 of a pentagon has the item itself.
  std::vector<std::int32_t> neighbour;
  tenken::Lists lists;  // of the exchange, for cpp/parallel/exchange.hpp

  std::int64_t items() const { return static_cast<std::int64_t>(cells.size()); }
  std::int32_t next(int slot, std::int64_t item) const {
    return neighbour[static_cast<std::size_t>(slot * own + item)];
  }
};

Patch make_patch(const Grid& grid, const Regions& regions, int rank, int ranks);

}  // namespace atmosphere
