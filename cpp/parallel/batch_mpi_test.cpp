#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#include "parallel/batch.hpp"

namespace {

int rank_of(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

void check_same_everywhere(int batch) {
  int least = batch;
  int most = batch;
  MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  CHECK(least == most);
}

}  // namespace

TEST_CASE("a long call is timed alone, even where it is long on one rank only") {
  const int batch = tenken::batch_of(MPI_COMM_WORLD, [](int) {
    if (rank_of(MPI_COMM_WORLD) == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  CHECK(batch == 1);
  check_same_everywhere(batch);
}

TEST_CASE("the batch of calls that take no time is bounded") {
  const int batch = tenken::batch_of(MPI_COMM_WORLD, [](int) {});
  CHECK(batch >= 1);
  CHECK(batch <= 4096);
  check_same_everywhere(batch);
}
