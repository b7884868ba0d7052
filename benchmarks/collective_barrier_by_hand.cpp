// The barrier as mpi_collectives times it in a row, and a loop of 1,000 barriers written by hand, in turn:
// mpirun -n RANKS collective_barrier_by_hand ROUNDS.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>

#include "in_a_row.hpp"
#include "in_turn.hpp"
#include "parallel/batch.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 301;
  constexpr int barriers = 1000;
  const int calls =
      tenken::batch_of(MPI_COMM_WORLD, [](int n) { mpi_collectives::barriers_in_a_row(MPI_COMM_WORLD, n); });
  const tenken::Clock clock;
  const auto ticks = tenken::times_in_turn<2>(rounds,
                                              {[&] { mpi_collectives::barriers_in_a_row(MPI_COMM_WORLD, calls); },
                                               [] {
                                                 for (int i = 0; i < barriers; ++i) MPI_Barrier(MPI_COMM_WORLD);
                                               }},
                                              [] { MPI_Barrier(MPI_COMM_WORLD); });
  const double us = clock.ns_per_tick() / 1000;
  if (rank == 0) {
    std::printf("{\"ranks\": %d, \"calls\": %d, \"by_check_us\": %.6f, \"by_hand_us\": %.6f}\n", ranks, calls,
                tenken::median(ticks[0]) * us / calls, tenken::median(ticks[1]) * us / barriers);
  }
  MPI_Finalize();
}
