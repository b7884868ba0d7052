// What ranks tell each other before anything is timed.
#pragma once

#include <mpi.h>

#include <string>

#include "base/error.hpp"

namespace mpi_pt2pt {

// Collective: throws UserError on every rank alike where any has a `problem`, with the sentence of the first one.
inline void agree(MPI_Comm comm, tenken::ExitCode code, std::string problem) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  int first = problem.empty() ? ranks : rank;
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm);
  if (first == ranks) return;
  int length = static_cast<int>(problem.size());
  MPI_Bcast(&length, 1, MPI_INT, first, comm);
  problem.resize(static_cast<std::size_t>(length));
  MPI_Bcast(problem.data(), length, MPI_CHAR, first, comm);
  throw tenken::UserError(code, problem);
}

// Collective: all ranks of `comm` share memory.
inline bool same_node(MPI_Comm comm) {
  MPI_Comm node;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int here = 0;
  int all = 0;
  MPI_Comm_size(node, &here);
  MPI_Comm_size(comm, &all);
  MPI_Comm_free(&node);
  return here == all;
}

}  // namespace mpi_pt2pt
