// What the faults of this check slow down.
#pragma once

#include "measure/check.hpp"
#include "players.hpp"

namespace mpi_pairs {

// How often a sample is run through: twice where a fault shall slow the path between players 0 and 1, or every path of
// player 1. Both partners agree.
inline int passes_of(const tenken::Check& check, const Players& players, int partner) {
  if (partner == nobody || players.me == nobody) return 1;
  const int first = players.ranks[0];
  const int second = players.ranks[1];
  const bool one = check.rank() == first || partner == first;
  const bool two = check.rank() == second || partner == second;
  return (check.fault("slow_path") && one && two) || (check.fault("slow_end") && two) ? 2 : 1;
}

}  // namespace mpi_pairs
