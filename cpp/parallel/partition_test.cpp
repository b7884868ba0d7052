#include "parallel/partition.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "parallel/neighbours.hpp"

using namespace tenken;

namespace {

template <std::size_t n>
void check_blocks(const Index<n>& cells, int ranks) {
  const Index<n> grid = balanced_grid(cells, ranks);
  CHECK(product(grid) == ranks);
  std::vector<int> times(static_cast<std::size_t>(product(cells)));
  for (int rank = 0; rank < ranks; ++rank) {
    const Partition<n> block(cells, grid, {}, rank);
    for (std::int64_t p = 0; p < block.volume(); ++p) {
      Index<n> cell = coordinates(p, block.extents());
      for (std::size_t d = 0; d < n; ++d) cell[d] += block.offset()[d];
      ++times[static_cast<std::size_t>(position(cell, cells))];
    }
    for (std::size_t d = 0; d < n; ++d) CHECK(block.extents()[d] - cells[d] / grid[d] <= 1);
  }
  CHECK(std::all_of(times.begin(), times.end(), [](int t) { return t == 1; }));
}

}  // namespace

TEST_CASE("blocks hold every cell once and differ by one cell at most in a dimension") {
  for (const int ranks : {1, 2, 3, 4, 6, 8, 12}) {
    check_blocks<1>({13}, ranks);
    check_blocks<2>({5, 7}, ranks);
    check_blocks<3>({3, 4, 5}, ranks);
    check_blocks<4>({3, 2, 4, 5}, ranks);
  }
}

TEST_CASE("the balanced grid has the smallest largest block, then sends least, then has most cells without halo") {
  CHECK(balanced_grid<3>({9, 10, 8}, 3) == Index<3>{3, 1, 1});  // 3 x 10 x 8, not 9 x 4 x 8
  CHECK(balanced_grid<3>({8, 8, 8}, 4) == Index<3>{1, 2, 2});
  CHECK(balanced_grid<3>({100, 4, 4}, 4) == Index<3>{4, 1, 1});
  CHECK(balanced_grid<2>({6, 6}, 2) == Index<2>{1, 2});
  CHECK(balanced_grid<2>({8, 8}, 4) == Index<2>{2, 2});  // not 1 x 4, which sends as much and has no cell without halo
}

TEST_CASE("neighbours are mutual, and nobody lies beyond an end that is not periodic") {
  const Index<3> cells{5, 6, 4}, grid{2, 3, 1};
  const Periodic<3> periodic{false, true, true};
  for (int rank = 0; rank < 6; ++rank) {
    const Partition<3> block(cells, grid, periodic, rank);
    CHECK(block.neighbour(0, Side::lower) == (block.place()[0] == 0 ? no_rank : rank - 1));
    CHECK(block.neighbour(0, Side::upper) == (block.place()[0] == 1 ? no_rank : rank + 1));
    const int up = block.neighbour(1, Side::upper);
    CHECK(Partition<3>(cells, grid, periodic, up).neighbour(1, Side::lower) == rank);
    CHECK(block.neighbour(2, Side::upper) == rank);
  }
}

TEST_CASE("a rank without cells, and a halo wider than a block, are refused") {
  CHECK_THROWS_WITH_AS(
      Partition<2>({4, 2}, {1, 3}, {}, 0),
      "grid 1,3 leaves ranks without cells: there are 2 cells in y for 3 ranks; use fewer ranks there, or "
      "more cells",
      UserError);
  CHECK_THROWS_WITH_AS(balanced_grid<2>({2, 2}, 8),
                       "a box of 2,2 cells cannot be cut into 8 blocks of whole cells; use fewer ranks, or more cells",
                       UserError);
  CHECK_THROWS_WITH_AS(halo_lists(Partition<1>({5}, {3}, {}, 0), 2, Reach::faces),
                       "a halo of 2 cells does not fit blocks of 1 cells in x; use fewer ranks there, or more cells",
                       UserError);
  CHECK_THROWS_WITH_AS(
      shared_node_lists(Partition<2>({4, 4}, {2, 1}, {false, true}, 0)),
      "nodes of a mesh that is periodic in y cannot be listed as shared; use a mesh with ends, or lists of your own",
      UserError);
}
