#include <doctest/doctest.h>

#include "in_a_row.hpp"

using mpi_collectives::RowOfSums;

TEST_CASE("sums of every size are exact") {
  for (const std::size_t bytes : {8, 16, 72, 4096, 80000}) {
    RowOfSums sums(MPI_COMM_WORLD, bytes);
    for (int sample = 1; sample <= 3; ++sample) {
      sums.prepare(sample, 3);
      sums.run();
      CHECK(sums.wrong() == 0);
    }
  }
}

TEST_CASE("results of an earlier sample are not taken for those of this one") {
  RowOfSums sums(MPI_COMM_WORLD, 64);
  sums.prepare(1, 2);
  sums.run();
  sums.prepare(2, 2);
  CHECK(sums.wrong() == 16);
}

TEST_CASE("a summand that one rank leaves out shows on every rank") {
  RowOfSums sums(MPI_COMM_WORLD, 64);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  sums.prepare(1 + (rank == 0 ? 1 : 0), 1);
  sums.run();
  sums.prepare(1, 1);
  CHECK(sums.wrong() > 0);
}
