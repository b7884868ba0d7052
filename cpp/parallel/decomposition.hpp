// Block decomposition of a periodic four-dimensional lattice over ranks.
#pragma once

#include "parallel/partition.hpp"

namespace tenken {

constexpr int dimensions = 4;

// One number for each dimension, x first: extents, coordinates, ranks.
using Index4 = Index<dimensions>;

// The templates of partition.hpp, also for {x, y, z, t} in braces.
inline std::int64_t product(const Index4& extents) { return product<dimensions>(extents); }
inline std::int64_t position(const Index4& at, const Index4& extents) { return position<dimensions>(at, extents); }
inline Index4 coordinates(std::int64_t position, const Index4& extents) {
  return coordinates<dimensions>(position, extents);
}

// The grid of ranks that divides every extent and has the least halo; of equal ones the one with the most sites that
// need no halo, then the one that cuts the later (slower) dimensions, whose faces lie closer together in memory. Throws
// UserError naming the rank counts next to `ranks` that work.
Index4 choose_grid(const Index4& lattice, int ranks);

// `grid` as asked for, where 0,0,0,0 means choose_grid. Throws UserError naming the dimension that cannot be divided,
// and what would work.
Index4 checked_grid(const Index4& lattice, const Index4& grid, int ranks);

// A grid for blocks of the given size on every rank, which makes the whole lattice as near to a cube as the prime
// factors of `ranks` allow.
Index4 spread_grid(const Index4& block, int ranks);

// The block of one rank: the grid divides the lattice, every dimension is periodic.
class Decomposition : public Partition<dimensions> {
 public:
  Decomposition(const Index4& lattice, const Index4& grid, int rank)
      : Partition(lattice, grid, {true, true, true, true}, rank) {}

  const Index4& lattice() const { return cells(); }
};

}  // namespace tenken
