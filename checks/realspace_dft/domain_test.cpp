// Ranks in groups and blocks.
#include "domain.hpp"

#include <doctest/doctest.h>

#include <string>

#include "base/error.hpp"

using namespace tenken;
using namespace tenken::realspace;

namespace {

std::string refusal(int groups, const std::array<int, 3>& blocks, const std::array<int, 3>& points, int ranks) {
  try {
    rank_grid(groups, blocks, points, ranks);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("blocks of the least surface are chosen") {
  using Three = std::array<int, 3>;
  CHECK(rank_grid(0, {0, 0, 0}, {16, 16, 16}, 8).blocks == Three{1, 2, 4});  // as 2,2,2, in fewer messages
  CHECK(rank_grid(0, {0, 0, 0}, {10, 10, 80}, 4).blocks == Three{1, 1, 4});
  CHECK(rank_grid(2, {0, 0, 0}, {16, 16, 40}, 4).blocks == Three{1, 1, 2});
  CHECK(rank_grid(2, {0, 0, 0}, {16, 16, 40}, 4).groups == 2);
  CHECK(rank_grid(0, {1, 2, 1}, {16, 16, 16}, 6).groups == 3);
  CHECK(rank_grid(0, {0, 0, 0}, {9, 9, 9}, 8).blocks == Three{2, 2, 2});  // blocks of 4 and 5
}

TEST_CASE("groups share bands where blocks would be too thin") {
  using Three = std::array<int, 3>;
  CHECK(rank_grid(0, {0, 0, 0}, {16, 16, 16}, 7).groups == 7);
  CHECK(rank_grid(0, {0, 0, 0}, {16, 16, 16}, 128).groups == 2);
  CHECK(rank_grid(0, {0, 0, 0}, {16, 16, 16}, 128).blocks == Three{4, 4, 4});
}

TEST_CASE("what does not fit the ranks or the halo is refused") {
  CHECK(refusal(3, {0, 0, 0}, {16, 16, 16}, 4).find("do not make 4 ranks") != std::string::npos);
  CHECK(refusal(2, {2, 2, 1}, {16, 16, 16}, 4).find("do not make 4 ranks") != std::string::npos);
  CHECK(refusal(0, {1, 0, 1}, {16, 16, 16}, 4).find("a number below 1") != std::string::npos);
  CHECK(refusal(1, {0, 0, 0}, {7, 7, 7}, 4).find("use at most 1 ranks a group") != std::string::npos);
  CHECK(refusal(1, {0, 0, 0}, {8, 7, 7}, 4).find("use at most 2 ranks a group") != std::string::npos);
  CHECK(refusal(0, {4, 1, 1}, {12, 12, 12}, 4).find("cannot be cut over 4 ranks") != std::string::npos);
}
