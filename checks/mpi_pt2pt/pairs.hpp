// Who exchanges with whom.
#pragma once

#include "measure/check.hpp"

namespace mpi_pt2pt {

constexpr int nobody = -1;

// neighbours: (0,1), (2,3), ...; halves: (0, h), (1, h + 1), ... with h
// = ranks / 2. With an odd number of ranks the last one is left out.
constexpr int partner_of(int rank, int ranks, bool halves) {
  const int half = ranks / 2;
  if (rank >= 2 * half) return nobody;
  if (halves) return rank < half ? rank + half : rank - half;
  return rank % 2 == 0 ? rank + 1 : rank - 1;
}

inline void require_two_ranks(const tenken::Check& check) {
  if (check.ranks() < 2) {
    tenken::refuse("mpi_pt2pt needs two ranks at least; start it with mpirun -n 2, or set --ranks 2");
  }
}

}  // namespace mpi_pt2pt
