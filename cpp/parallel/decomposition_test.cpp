#include "parallel/decomposition.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "base/error.hpp"

using namespace tenken;

namespace {

// Sites that one block sends.
std::int64_t halo_sites(const Index4& lattice, const Index4& grid) {
  const Decomposition block(lattice, grid, 0);
  std::int64_t sites = 0;
  for (int d = 0; d < dimensions; ++d) sites += block.divided(d) ? 2 * block.face(d) : 0;
  return sites;
}

template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const UserError& error) {
    CHECK(error.code() == ExitCode::refused);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("positions count x fastest and give the coordinates back") {
  const Index4 extents{3, 2, 5, 4};
  CHECK(position({1, 0, 0, 0}, extents) == 1);
  CHECK(position({0, 1, 0, 0}, extents) == 3);
  CHECK(position({2, 1, 4, 3}, extents) == product(extents) - 1);
  for (std::int64_t p = 0; p < product(extents); ++p) CHECK(position(coordinates(p, extents), extents) == p);
}

TEST_CASE("the chosen grid has the least halo of all that divide the lattice") {
  for (const Index4& lattice : {Index4{8, 8, 8, 8}, Index4{4, 6, 2, 8}, Index4{16, 4, 12, 6}}) {
    for (const int ranks : {1, 2, 3, 4, 6, 8, 12, 16, 24}) {
      std::int64_t least = std::numeric_limits<std::int64_t>::max();
      Index4 grid;
      for (grid[0] = 1; grid[0] <= ranks; ++grid[0]) {
        for (grid[1] = 1; grid[1] <= ranks; ++grid[1]) {
          for (grid[2] = 1; grid[2] <= ranks; ++grid[2]) {
            for (grid[3] = 1; grid[3] <= ranks; ++grid[3]) {
              bool divides = product(grid) == ranks;
              for (int d = 0; d < dimensions; ++d) divides = divides && lattice[d] % grid[d] == 0;
              if (divides) least = std::min(least, halo_sites(lattice, grid));
            }
          }
        }
      }
      if (least == std::numeric_limits<std::int64_t>::max()) {
        CHECK_THROWS_AS(choose_grid(lattice, ranks), UserError);
        continue;
      }
      const Index4 chosen = choose_grid(lattice, ranks);
      CHECK(product(chosen) == ranks);
      CHECK(halo_sites(lattice, chosen) == least);
    }
  }
}

TEST_CASE("of equal grids the one with more interior is taken, then the later dimensions are cut") {
  CHECK(choose_grid({8, 8, 8, 8}, 2) == Index4{1, 1, 1, 2});
  CHECK(choose_grid({8, 8, 8, 8}, 4) == Index4{1, 1, 2, 2});
}

TEST_CASE("what cannot be divided is refused with what works") {
  CHECK(refusal([] {
          choose_grid({8, 8, 8, 8}, 7);
        }) ==
        "lattice 8,8,8,8 cannot be divided over 7 ranks: no grid of that many ranks divides the extents in x, y, z and "
        "t; "
        "use 4 or 8 ranks, or an extent in t that is a multiple of 7");
  CHECK(refusal([] { choose_grid({2, 2, 2, 2}, 17); }).find("use 16 ranks, or") != std::string::npos);
  CHECK(refusal([] {
          checked_grid({8, 9, 8, 8}, {1, 2, 1, 1}, 2);
        }) ==
        "grid 1,2,1,1 cannot divide lattice 8,9,8,8: extent 9 in y is not a multiple of 2; use extent 8 or 10 there, "
        "another --grid, or 0,0,0,0 to have one chosen");
  CHECK(refusal([] { checked_grid({8, 2, 8, 8}, {1, 4, 1, 1}, 4); }).find("use extent 4 there") != std::string::npos);
  CHECK(refusal([] {
          checked_grid({8, 8, 8, 8}, {1, 2, 1, 2}, 2);
        }) == "grid 1,2,1,2 needs 4 ranks, but 2 were started; start 4 or use --grid 0,0,0,0");
  CHECK(refusal([] { checked_grid({8, 8, 8, 8}, {0, 2, 1, 1}, 2); }).find("has 0 ranks in x") != std::string::npos);
  CHECK(checked_grid({8, 8, 8, 8}, {2, 1, 1, 1}, 2) == Index4{2, 1, 1, 1});
  CHECK(checked_grid({8, 8, 8, 8}, {0, 0, 0, 0}, 2) == Index4{1, 1, 1, 2});
}

TEST_CASE("blocks of a given size are spread towards a cube, for any number of ranks") {
  for (int ranks = 1; ranks <= 60; ++ranks) CHECK(product(spread_grid({8, 8, 8, 8}, ranks)) == ranks);
  CHECK(spread_grid({8, 8, 8, 8}, 16) == Index4{2, 2, 2, 2});
  CHECK(spread_grid({16, 16, 16, 8}, 2) == Index4{1, 1, 1, 2});
  CHECK(spread_grid({8, 8, 8, 8}, 12) == Index4{1, 2, 2, 3});
}

TEST_CASE("blocks tile the lattice and neighbours are mutual") {
  const Index4 lattice{4, 6, 2, 8};
  const Index4 grid{2, 3, 1, 4};
  std::int64_t sites = 0;
  for (int rank = 0; rank < product(grid); ++rank) {
    const Decomposition block(lattice, grid, rank);
    CHECK(position(block.place(), grid) == rank);
    CHECK(block.extents() == Index4{2, 2, 2, 2});
    CHECK(block.offset()[3] == 2 * block.place()[3]);
    sites += block.volume();
    for (int d = 0; d < dimensions; ++d) {
      const int up = block.neighbour(d, Side::upper);
      CHECK(Decomposition(lattice, grid, up).neighbour(d, Side::lower) == rank);
      CHECK(Decomposition(lattice, grid, up).place()[d] == (block.place()[d] + 1) % grid[d]);
      CHECK((up == rank) == !block.divided(d));
    }
  }
  CHECK(sites == product(lattice));
}
