#include <doctest/doctest.h>

#include "reduction.hpp"

using mpi_allreduce::Reduction;

TEST_CASE("sums of every size are exact") {
  for (const std::size_t bytes : {8, 16, 72, 4096, 80000}) {
    Reduction reduction(MPI_COMM_WORLD, bytes);
    for (int sample = 1; sample <= 3; ++sample) {
      reduction.prepare(sample, 3);
      reduction.run();
      CHECK(reduction.wrong() == 0);
    }
  }
}

TEST_CASE("results of an earlier sample are not taken for those of this one") {
  Reduction reduction(MPI_COMM_WORLD, 64);
  reduction.prepare(1, 2);
  reduction.run();
  reduction.prepare(2, 2);
  CHECK(reduction.wrong() == 16);
}

TEST_CASE("a summand that one rank leaves out shows on every rank") {
  Reduction reduction(MPI_COMM_WORLD, 64);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  reduction.prepare(1 + (rank == 0 ? 1 : 0), 1);
  reduction.run();
  reduction.prepare(1, 1);
  CHECK(reduction.wrong() > 0);
}
