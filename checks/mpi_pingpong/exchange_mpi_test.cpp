#include <doctest/doctest.h>

#include "core_round_trip.hpp"
#include "exchange.hpp"
#include "pairs.hpp"

using namespace mpi_pingpong;

namespace {

int partner(bool halves) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return partner_of(rank, ranks, halves);
}

}  // namespace

TEST_CASE("messages of every size come back as they were sent") {
  for (const bool halves : {false, true}) {
    const int other = partner(halves);
    if (other == nobody) continue;
    for (const std::size_t size : {1, 8, 100, 5000, 300000}) {
      Exchange exchange(MPI_COMM_WORLD, other, size);
      for (int sample = 1; sample <= 3; ++sample) {
        exchange.prepare(sample, 4);
        exchange.meet();
        exchange.run();
        CHECK(exchange.wrong() == 0);
      }
    }
  }
}

TEST_CASE("what came in an earlier sample is not taken for the answer of this one") {
  const int other = partner(false);
  if (other == nobody) return;
  Exchange exchange(MPI_COMM_WORLD, other, 64);
  exchange.prepare(1, 2);
  exchange.run();
  exchange.prepare(2, 2);
  CHECK((exchange.wrong() > 0) == exchange.starts());
}

TEST_CASE("the pair agrees on its round trip between cores") {
  const int other = partner(false);
  CoreRoundTrip cores(MPI_COMM_WORLD, other);
  if (!cores.shared()) return;
  for (int i = 0; i < 2; ++i) {
    double mine = cores.nanoseconds();
    double theirs = 0;
    MPI_Sendrecv(&mine, 1, MPI_DOUBLE, other, 0, &theirs, 1, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(mine == theirs);
    CHECK(mine > 0);
  }
}
