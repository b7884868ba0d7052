// Block decomposition of a periodic four-dimensional lattice over ranks.
#pragma once

#include <array>
#include <cstdint>

namespace tenken {

constexpr int dimensions = 4;

// One number for each dimension, x first: extents, coordinates, ranks.
using Index4 = std::array<int, dimensions>;

enum class Side { lower = 0, upper = 1 };

std::int64_t product(const Index4& extents);

// Position in the order "x fastest".
std::int64_t position(const Index4& at, const Index4& extents);
Index4 coordinates(std::int64_t position, const Index4& extents);

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

// The block of one rank. Ranks are numbered x fastest.
class Decomposition {
 public:
  Decomposition(const Index4& lattice, const Index4& grid, int rank);

  const Index4& lattice() const { return lattice_; }
  const Index4& grid() const { return grid_; }
  const Index4& place() const { return place_; }      // of the rank in the grid
  const Index4& extents() const { return extents_; }  // of the block
  Index4 offset() const;                              // lattice coordinates of the block's first site
  std::int64_t volume() const { return product(extents_); }
  bool divided(int dimension) const { return grid_[dimension] > 1; }
  std::int64_t face(int dimension) const { return volume() / extents_[dimension]; }  // sites of one face

  int neighbour(int dimension, Side side) const;

 private:
  Index4 lattice_;
  Index4 grid_;
  Index4 place_;
  Index4 extents_;
};

}  // namespace tenken
