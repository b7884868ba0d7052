// For tests on several ranks: this rank, and all the ways to cut a lattice.
#pragma once

#include <mpi.h>

#include <vector>

#include "parallel/decomposition.hpp"

namespace tenken::qcd::every_grid {

inline int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

inline int world_ranks() {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

// Whether there is but one rank: of what several ranks would only repeat, each for itself.
inline bool one_rank() { return world_ranks() == 1; }

// Every grid of all ranks that divides the lattice.
inline std::vector<Index4> grids_of(const Index4& lattice) {
  std::vector<Index4> grids;
  for (std::int64_t n = 0; n < 16 * 16 * 16 * 16; ++n) {
    Index4 grid = coordinates(n, {16, 16, 16, 16});
    bool divides = true;
    for (int d = 0; d < dimensions; ++d) divides = divides && lattice[d] % ++grid[d] == 0;
    if (divides && product(grid) == world_ranks()) grids.push_back(grid);
  }
  return grids;
}

}  // namespace tenken::qcd::every_grid
