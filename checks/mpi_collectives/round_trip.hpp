// How far apart ranks are, before and after: on virtual machines that flips between two values, and collectives with
// it.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>

#include "measure/clock.hpp"

namespace mpi_collectives {

// The first rank on another node than rank 0; else the last rank. Collective.
inline int far_rank(MPI_Comm comm) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  MPI_Comm node;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int first = 0;  // of my node
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Allreduce(&rank, &first, 1, MPI_INT, MPI_MIN, node);
  MPI_Comm_free(&node);
  int far = first == 0 ? ranks : rank;
  MPI_Allreduce(MPI_IN_PLACE, &far, 1, MPI_INT, MPI_MIN, comm);
  return std::min(far, ranks - 1);
}

// Nanoseconds of a message of 4 bytes there and back between rank 0 and `other`: median over samples; 0 where they are
// one. Collective, the same on all.
inline double round_trip_ns(MPI_Comm comm, int other, double ns_per_tick) {
  constexpr int samples = 31;
  constexpr int trips = 20;
  constexpr int tag = 2;
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  double median = 0;
  if (other != 0 && (rank == 0 || rank == other)) {
    const int partner = rank == 0 ? other : 0;
    std::array<double, samples> each{};
    int word = 0;
    for (double& ns : each) {
      const std::int64_t start = tenken::ticks_now();
      for (int i = 0; i < trips; ++i) {
        if (rank == 0) MPI_Send(&word, 1, MPI_INT, partner, tag, comm);
        MPI_Recv(&word, 1, MPI_INT, partner, tag, comm, MPI_STATUS_IGNORE);
        if (rank != 0) MPI_Send(&word, 1, MPI_INT, partner, tag, comm);
      }
      ns = static_cast<double>(tenken::ticks_now() - start) * ns_per_tick / trips;
    }
    std::nth_element(each.begin(), each.begin() + samples / 2, each.end());
    median = each[samples / 2];
  }
  MPI_Bcast(&median, 1, MPI_DOUBLE, 0, comm);
  return median;
}

}  // namespace mpi_collectives
