#include "work.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <utility>

#include "faces.hpp"
#include "run.hpp"

using namespace tenken;
using namespace tenken::xacc_lqcd;

namespace {

constexpr XaccLqcdVersion lattice{{7, 6, 3, 2}, {0, 0}, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr};

// Owner of a site along an axis: blocks of ceil(sites / ranks).
int owner(int site, int sites, int ranks) { return site / ((sites + ranks - 1) / ranks); }

// Sites of a rank, and those of others next to one of them where the axis is divided, counted one by one.
std::pair<std::int64_t, std::int64_t> counted(Grid grid, int rank) {
  std::int64_t own = 0, halo = 0;
  const int nt = lattice.extent[0], nz = lattice.extent[1], row = lattice.extent[2] * lattice.extent[3];
  const auto mine = [&](int t, int z) {
    return owner((t + nt) % nt, nt, grid.t) == rank / grid.z && owner((z + nz) % nz, nz, grid.z) == rank % grid.z;
  };
  for (int t = 0; t < nt; ++t) {
    for (int z = 0; z < nz; ++z) {
      if (!mine(t, z)) continue;
      own += row;
      if (grid.t > 1) halo += row * (!mine(t - 1, z) + !mine(t + 1, z));
      if (grid.z > 1) halo += row * (!mine(t, z - 1) + !mine(t, z + 1));
    }
  }
  return {own, halo};
}

}  // namespace

TEST_CASE("blocks and halos are those that are counted site by site") {
  for (const Grid grid : {Grid{1, 1}, Grid{2, 1}, Grid{1, 3}, Grid{3, 2}, Grid{4, 3}, Grid{5, 6}}) {
    std::int64_t all = 0;
    for (int rank = 0; rank < grid.t * grid.z; ++rank) {
      CAPTURE(grid.t);
      CAPTURE(grid.z);
      CAPTURE(rank);
      const auto [own, halo] = counted(grid, rank);
      const Block block = block_of(lattice, grid.t, grid.z, rank);
      CHECK(block.sites() == own);
      CHECK(reflect_work(block, grid.t, grid.z).bytes_read == halo * spinor_bytes);
      all += own;
    }
    CHECK(all == 7 * 6 * 3 * 2);
  }
}

TEST_CASE("work of a block") {
  const Block block = block_of(lattice, 1, 1, 0);
  CHECK(operator_work(block).flop == 252 * 1368);
  CHECK(operator_work(block).bytes_read == 252 * (4 * 9 * 16 + 12 * 16));
  CHECK(combine_work(block).flop == 252 * 12 * 6);
  CHECK(product_work(block, 2).bytes_read == 2 * product_work(block, 1).bytes_read);
  CHECK(reduction_work(1) == Work{});
  CHECK(reflect_work(block, 1, 1) == Work{});
}

TEST_CASE("grids have more ranks in t, and as equal as can be") {
  for (const auto& [ranks, t, z] : {std::array{1, 1, 1}, {2, 2, 1}, {6, 3, 2}, {7, 7, 1}, {16, 4, 4}, {64, 8, 8}}) {
    CHECK(grid_of(ranks).t == t);
    CHECK(grid_of(ranks).z == z);
  }
}

TEST_CASE("a number that is none is an infinite difference") {
  CHECK(difference({1, 0}, {1, 0}) == 0);
  CHECK(difference({1, 1e-30}, {1, 0}) > 1e300);
  CHECK(difference({1, 2.5}, {1, 2}) == doctest::Approx(0.25));
  CHECK(difference({std::nan(""), 2}, {1, 2}) > 1e300);
}

TEST_CASE("overlap is the longer exchange over both at once, not their sum") {
  CHECK(overlap_efficiency(30, 40, 50) == doctest::Approx(0.8));
  CHECK(overlap_efficiency(40, 30, 40) == doctest::Approx(1));
  CHECK(overlap_efficiency(20, 20, 40) == doctest::Approx(0.5));
}
