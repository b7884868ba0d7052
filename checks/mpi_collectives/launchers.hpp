// Programs of one MPI that the launcher of another started: each process takes itself for the only rank.
#pragma once

#include <mpi.h>
#include <stdlib.h>

#include <string>

#include "base/error.hpp"

namespace mpi_collectives {

// `text`: what a launcher left in the environment of its processes, null where it did not.
inline bool says_several(const char* text) { return text != nullptr && std::atoi(text) > 1; }

inline void require_own_launcher(int ranks, const char* of_open_mpi, const char* of_hydra) {
  if (ranks != 1 || (!says_several(of_open_mpi) && !says_several(of_hydra))) return;
  const std::string processes = says_several(of_open_mpi) ? of_open_mpi : of_hydra;
  tenken::refuse(std::string("the launcher of ") + (says_several(of_open_mpi) ? "Open MPI" : "MPICH") + " started " +
                 processes +
                 " processes, but each is alone: this program was built with another MPI; start it with the " +
                 "mpirun of that MPI");
}

inline void require_own_launcher(int ranks) {
  require_own_launcher(ranks, getenv("OMPI_COMM_WORLD_SIZE"), getenv("PMI_SIZE"));
}

}  // namespace mpi_collectives
