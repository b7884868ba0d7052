// Grids of ranks, and blocks of bands that go in turn to groups.
#include "groups.hpp"

#include <doctest/doctest.h>

#include <string>

#include "bands.hpp"
#include "base/error.hpp"

using namespace tenken;
using namespace tenken::planewave;

namespace {

std::array<int, 4> numbers(const GroupGrid& g) { return {g.k, g.bands, g.rows, g.columns}; }

std::string refusal(const std::array<int, 3>& asked, int rows, int ranks, std::int64_t k) {
  try {
    group_grid(asked, rows, ranks, k, 8);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("ranks share k-points as evenly as they can, then waves") {
  using Four = std::array<int, 4>;
  CHECK(numbers(group_grid({0, 0, 0}, 0, 1, 6, 8)) == Four{1, 1, 1, 1});
  CHECK(numbers(group_grid({0, 0, 0}, 0, 6, 6, 8)) == Four{6, 1, 1, 1});
  CHECK(numbers(group_grid({0, 0, 0}, 0, 4, 6, 8)) == Four{2, 1, 1, 2});  // four groups would take two k-points each
  CHECK(numbers(group_grid({0, 0, 0}, 0, 24, 1, 8)) == Four{1, 1, 4, 6});
  CHECK(numbers(group_grid({1, 2, 0}, 0, 8, 6, 8)) == Four{1, 2, 2, 2});
  CHECK(numbers(group_grid({0, 0, 4}, 1, 8, 6, 8)) == Four{2, 1, 1, 4});
  CHECK(numbers(group_grid({3, 2, 4}, 4, 24, 3, 8)) == Four{3, 2, 4, 1});
}

TEST_CASE("groups share bands where the waves of a band are too few for all ranks") {
  using Four = std::array<int, 4>;
  CHECK(numbers(group_grid({0, 0, 0}, 0, 47, 1, 7)) == Four{1, 47, 1, 1});
  CHECK(numbers(group_grid({0, 0, 0}, 0, 128, 6, 7)) == Four{2, 4, 4, 4});
  CHECK(numbers(group_grid({0, 0, 0}, 0, 49, 1, 7)) == Four{1, 1, 7, 7});
  CHECK(numbers(group_grid({1, 1, 0}, 0, 47, 1, 7)) == Four{1, 1, 1, 47});  // as asked
}

TEST_CASE("a grid that does not fit the ranks is refused with the numbers that do") {
  CHECK(refusal({0, 3, 0}, 0, 8, 6).find("1, 2, 4, 8") != std::string::npos);
  CHECK(refusal({2, 2, 1}, 0, 8, 6).find("not a grid of all ranks") != std::string::npos);
  CHECK(refusal({8, 1, 1}, 0, 8, 6).find("at most as many groups as k-points") != std::string::npos);
  CHECK(refusal({0, 1, 1}, 0, 8, 6).find("leaves 8 groups for 6 k-points") != std::string::npos);
  CHECK(refusal({0, 0, -1}, 0, 8, 6).find("negative") != std::string::npos);
  CHECK(refusal({1, 1, 8}, 3, 8, 6).find("--rows 3 does not divide the 8 ranks") != std::string::npos);
}

TEST_CASE("each band belongs to one group, at the place that the group counts") {
  for (const auto& [count, block, groups] : {std::array<std::int64_t, 3>{20, 4, 1},
                                             {20, 4, 2},
                                             {21, 4, 2},
                                             {22, 4, 3},
                                             {3, 4, 2},
                                             {13, 1, 5},
                                             {64, 64, 2}}) {
    std::vector<int> seen(static_cast<std::size_t>(count));
    for (int group = 0; group < groups; ++group) {
      const BandSplit split{count, block, static_cast<int>(groups), group};
      std::int64_t own = 0;
      for (std::int64_t b = 0; b < split.blocks(); ++b) {
        CHECK(split.before(b) == own);
        if (split.owner(b) != group) continue;
        for (std::int64_t band = split.range(b).first; band < split.range(b).last; ++band, ++own) {
          CHECK(split.band(own) == band);
          ++seen[static_cast<std::size_t>(band)];
        }
      }
      CHECK(split.mine() == own);
    }
    CHECK(seen == std::vector<int>(static_cast<std::size_t>(count), 1));
  }
}
