// Ranks in groups of bands, and within a group blocks of the grid in real space, with four points of their neighbours.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <vector>

#include "numerics/dft/system.hpp"
#include "numerics/team.hpp"
#include "parallel/partition.hpp"
#include "parallel/sums.hpp"

namespace tenken::realspace {

inline constexpr int reach = 4;  // points of the differences to either side

// `groups` groups of bands; blocks.x * y * z ranks each. Rank = group * ranks of a group + rank of the block, z of the
// blocks fastest.
struct RankGrid {
  int groups = 1;
  std::array<int, 3> blocks{1, 1, 1};  // along x, y, z
  int ranks_of_group() const { return blocks[0] * blocks[1] * blocks[2]; }
};

// As asked for; 0: chosen (blocks with the least surface, in the fewest groups in which these are thick enough). Throws
// UserError naming what fits: numbers that do not divide the ranks, blocks thinner than four points.
RankGrid rank_grid(int groups, const std::array<int, 3>& blocks, const std::array<int, 3>& points, int ranks);

class Domain {
 public:
  // Collective.
  Domain(MPI_Comm world, const RankGrid& ranks, const dft::Grid& grid);
  ~Domain();
  Domain(const Domain&) = delete;
  Domain& operator=(const Domain&) = delete;

  MPI_Comm world() const { return world_; }
  MPI_Comm group() const { return group_; }    // the blocks of one group
  MPI_Comm across() const { return across_; }  // the same block of all groups
  int number() const { return number_; }       // of the group
  const RankGrid& ranks() const { return ranks_; }

  const dft::Grid& grid() const { return grid_; }
  const std::array<int, 3>& extents() const { return extents_; }  // points of the block along x, y, z
  const std::array<int, 3>& first() const { return first_; }      // its first point
  std::int64_t points() const { return std::int64_t{extents_[0]} * extents_[1] * extents_[2]; }
  // Block with four more points on each side, z fastest.
  std::array<int, 3> padded() const {
    return {extents_[0] + 2 * reach, extents_[1] + 2 * reach, extents_[2] + 2 * reach};
  }
  std::int64_t padded_points() const {
    const auto n = padded();
    return std::int64_t{n[0]} * n[1] * n[2];
  }
  // [point of the block]: index of dft::Grid. Points of the block have z fastest.
  const std::vector<std::int64_t>& grid_points() const { return grid_points_; }
  // Of a point of the grid: its number in the block, -1 elsewhere.
  std::int64_t own(std::int64_t grid_point) const;
  const Partition<3>& partition() const { return partition_; }  // z is its first dimension

  void sum(double* numbers, std::int64_t n) const;  // over the blocks of the group

 private:
  MPI_Comm world_, group_ = MPI_COMM_NULL, across_ = MPI_COMM_NULL;
  RankGrid ranks_;
  dft::Grid grid_;
  int number_ = 0;
  Partition<3> partition_;
  std::array<int, 3> extents_{}, first_{};
  std::vector<std::int64_t> grid_points_;
};

}  // namespace tenken::realspace
