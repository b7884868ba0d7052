#include "domain.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"

namespace tenken::realspace {

namespace {

std::string listed(const std::array<int, 3>& n) {
  return std::to_string(n[0]) + "," + std::to_string(n[1]) + "," + std::to_string(n[2]);
}

Index<3> turned(const std::array<int, 3>& n) { return {n[2], n[1], n[0]}; }

bool fits(const std::array<int, 3>& blocks, const std::array<int, 3>& points) {
  for (std::size_t d = 0; d < 3; ++d)
    if (points[d] / blocks[d] < reach) return false;
  return true;
}

std::string divisors(int n) {
  std::string text;
  for (int d = 1; d <= n; ++d)
    if (n % d == 0) text += (text.empty() ? "" : ", ") + std::to_string(d);
  return text;
}

// Points that a rank receives, of the largest block.
std::int64_t surface(const std::array<int, 3>& blocks, const std::array<int, 3>& points) {
  std::array<std::int64_t, 3> n;
  for (std::size_t d = 0; d < 3; ++d) n[d] = (points[d] + blocks[d] - 1) / blocks[d];
  std::int64_t sum = 0;
  for (std::size_t d = 0; d < 3; ++d)
    if (blocks[d] > 1) sum += 2 * reach * n[(d + 1) % 3] * n[(d + 2) % 3];
  return sum;
}

// Every way to cut; the first of the least surface.
std::array<int, 3> least_surface(int ranks, const std::array<int, 3>& points) {
  std::array<int, 3> best{};
  std::int64_t least = -1;
  for (int x = 1; x <= ranks; ++x)
    for (int y = 1; ranks % x == 0 && y <= ranks / x; ++y) {
      if (ranks / x % y != 0) continue;
      const std::array<int, 3> blocks{x, y, ranks / x / y};
      if (!fits(blocks, points)) continue;
      const std::int64_t own = surface(blocks, points);
      if (least < 0 || own < least) best = blocks, least = own;
    }
  return best;
}

int fewest_groups(int ranks, const std::array<int, 3>& points) {
  for (int groups = 1; groups < ranks; ++groups)
    if (ranks % groups == 0 && least_surface(ranks / groups, points)[0] > 0) return groups;
  return ranks;
}

}  // namespace

RankGrid rank_grid(int groups, const std::array<int, 3>& blocks, const std::array<int, 3>& points, int ranks) {
  RankGrid grid;
  const bool chosen = blocks == std::array<int, 3>{};
  if (!chosen && std::min({blocks[0], blocks[1], blocks[2]}) < 1)
    refuse("--blocks " + listed(blocks) + " has a number below 1; use at least 1 along each axis, or 0,0,0");
  const int asked = chosen ? 1 : blocks[0] * blocks[1] * blocks[2];
  grid.groups = groups > 0 ? groups : chosen ? fewest_groups(ranks, points) : ranks / asked;
  if (grid.groups < 1 || ranks % grid.groups != 0 || (!chosen && grid.groups * asked != ranks)) {
    refuse("--groups " + std::to_string(groups) + " and --blocks " + listed(blocks) + " do not make " +
           std::to_string(ranks) + " ranks; use a number of groups that divides the ranks (" + divisors(ranks) +
           ") and as many blocks as a group has ranks, or 0 and 0,0,0");
  }
  const int of_group = ranks / grid.groups;
  grid.blocks = chosen ? least_surface(of_group, points) : blocks;
  if (grid.blocks[0] == 0 || !fits(grid.blocks, points)) {
    int most = of_group;
    while (most > 1 && least_surface(most, points)[0] == 0) --most;
    refuse("a grid of " + listed(points) + " points cannot be cut over " + std::to_string(of_group) +
           " ranks: a block has at least " + std::to_string(reach) + " points along each axis; use at most " +
           std::to_string(most) + " ranks a group, or more --groups");
  }
  return grid;
}

Domain::Domain(MPI_Comm world, const RankGrid& ranks, const dft::Grid& grid)
    : world_(world),
      ranks_(ranks),
      grid_(grid),
      partition_(turned(grid.points), turned(ranks.blocks), {true, true, true}, [&] {
        int rank = 0;
        MPI_Comm_rank(world, &rank);
        return rank % ranks.ranks_of_group();
      }()) {
  int rank = 0;
  MPI_Comm_rank(world, &rank);
  number_ = rank / ranks.ranks_of_group();
  MPI_Comm_split(world, number_, rank, &group_);
  MPI_Comm_split(world, rank % ranks.ranks_of_group(), rank, &across_);
  for (std::size_t d = 0; d < 3; ++d) {
    extents_[d] = partition_.extents()[2 - d];
    first_[d] = partition_.offset()[2 - d];
  }
  for (int x = 0; x < extents_[0]; ++x)
    for (int y = 0; y < extents_[1]; ++y)
      for (int z = 0; z < extents_[2]; ++z)
        grid_points_.push_back((std::int64_t{first_[0] + x} * grid.points[1] + first_[1] + y) * grid.points[2] +
                               first_[2] + z);
}

Domain::~Domain() {
  MPI_Comm_free(&group_);
  MPI_Comm_free(&across_);
}

std::int64_t Domain::own(std::int64_t grid_point) const {
  std::array<std::int64_t, 3> at{grid_point / grid_.points[2] / grid_.points[1],
                                 grid_point / grid_.points[2] % grid_.points[1], grid_point % grid_.points[2]};
  std::int64_t number = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    at[d] -= first_[d];
    if (at[d] < 0 || at[d] >= extents_[d]) return -1;
    number = number * extents_[d] + at[d];
  }
  return number;
}

void Domain::sum(double* numbers, std::int64_t n) const { sum_over(group_, numbers, n); }

}  // namespace tenken::realspace
