// A box of cells in 1 to 4 dimensions, cut into one block a rank: uneven where the ranks do not divide the cells, and
// periodic or not in each dimension. The first dimension, x, is the fastest in every numbering.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tenken {

template <std::size_t n>
using Index = std::array<int, n>;
template <std::size_t n>
using Periodic = std::array<bool, n>;

enum class Side { lower = 0, upper = 1 };

constexpr int no_rank = -1;

template <std::size_t n>
std::int64_t product(const Index<n>& extents) {
  std::int64_t all = 1;
  for (const int each : extents) all *= each;
  return all;
}

// Position in the order "x fastest", and back.
template <std::size_t n>
std::int64_t position(const Index<n>& at, const Index<n>& extents) {
  std::int64_t p = 0;
  for (std::size_t d = n; d-- > 0;) p = p * extents[d] + at[d];
  return p;
}
template <std::size_t n>
Index<n> coordinates(std::int64_t position, const Index<n>& extents) {
  Index<n> at;
  for (std::size_t d = 0; d < n; ++d) {
    at[d] = static_cast<int>(position % extents[d]);
    position /= extents[d];
  }
  return at;
}

// The block of one rank. Ranks are numbered x fastest; in each dimension the first (cells mod ranks) blocks get one
// cell more.
template <std::size_t n>
class Partition {
 public:
  // Throws UserError where a dimension has fewer cells than ranks, so that a rank would have none.
  Partition(const Index<n>& cells, const Index<n>& grid, const Periodic<n>& periodic, int rank);

  const Index<n>& cells() const { return cells_; }
  const Index<n>& grid() const { return grid_; }
  const Periodic<n>& periodic() const { return periodic_; }
  const Index<n>& place() const { return place_; }      // of the rank in the grid
  const Index<n>& extents() const { return extents_; }  // of the block
  const Index<n>& offset() const { return offset_; }    // of the block's first cell
  std::int64_t volume() const { return product(extents_); }
  bool divided(int dimension) const { return grid_[static_cast<std::size_t>(dimension)] > 1; }
  std::int64_t face(int dimension) const { return volume() / extents_[static_cast<std::size_t>(dimension)]; }

  // The rank whose block is `step` (-1, 0 or 1 in each dimension) away; no_rank beyond an end that is not periodic. May
  // be this rank.
  int neighbour(const Index<n>& step) const;
  int neighbour(int dimension, Side side) const;

 private:
  Index<n> cells_;
  Index<n> grid_;
  Periodic<n> periodic_;
  Index<n> place_;
  Index<n> extents_;
  Index<n> offset_;
};

// The grid of `ranks` ranks whose largest block is the smallest; of these the one that sends the least, then the one
// with the most cells that need no halo, then the one that cuts the later dimensions. Throws UserError where every grid
// would leave a rank without cells.
template <std::size_t n>
Index<n> balanced_grid(const Index<n>& cells, int ranks);

}  // namespace tenken
