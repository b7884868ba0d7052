// All ranks of a test with MPI.
#pragma once

#include <mpi.h>

namespace tenken::testing {

// The thread level that the test asks for. A test with threads that call MPI defines it anew.
int wanted_thread_level();

inline int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

inline int world_ranks() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

}  // namespace tenken::testing
