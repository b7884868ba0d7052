#include <doctest/doctest.h>

#include "round_trip.hpp"
#include "window.hpp"

using namespace mpi_collectives;

namespace {
int rank_of() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

double most(double mine) {
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return mine;
}
}  // namespace

TEST_CASE("nobody begins before the instant, and all agree on whether all were ready") {
  tenken::CommonClock clock(MPI_COMM_WORLD);
  Windows windows(MPI_COMM_WORLD, clock, false);
  for (int i = 0; i < 6; ++i) {
    double begun_at = 0;
    const Windows::Seen seen = windows.run([&] { begun_at = clock.now(); });
    CHECK(seen.begun >= 0);
    CHECK(static_cast<double>(seen.ticks) * clock.ns_per_tick() >= seen.begun);
    CHECK(most(seen.all_in_time ? 1 : 0) == (seen.all_in_time ? 1 : 0));
    CHECK((!seen.all_in_time || seen.in_time));
    // One instant for all: what is left of each rank's entry without its own lateness.
    const double instant = begun_at - seen.begun;
    CHECK(most(instant) - instant >= 0);
  }
}

TEST_CASE("a rank that is held up says so itself, and the others do not") {
  tenken::CommonClock clock(MPI_COMM_WORLD);
  Windows windows(MPI_COMM_WORLD, clock, false);
  constexpr double long_time = 3e6;
  double least = 1e18;
  for (int i = 0; i < 30; ++i) {  // on a loaded node others begin late, too, but not each time
    const Windows::Seen seen = windows.run([] {}, rank_of() == 0 ? long_time : 0);
    least = std::min(least, seen.begun);
  }
  CHECK((least >= long_time) == (rank_of() == 0));
}

TEST_CASE("a rank that is not ready makes all of them leave out the window, but where ranks share cores") {
  tenken::CommonClock clock(MPI_COMM_WORLD);
  for (const bool passive : {false, true}) {
    Windows windows(MPI_COMM_WORLD, clock, passive);
    const double lead = windows.lead_ns();
    windows.forget_instant();
    const Windows::Seen seen = windows.run([] {});
    CHECK_FALSE(seen.in_time);
    CHECK(seen.all_in_time == passive);
    CHECK(windows.lead_ns() > lead);
  }
}

TEST_CASE("a message to a far rank takes time, and there is none on one rank") {
  const int far = far_rank(MPI_COMM_WORLD);
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  CHECK(far == ranks - 1);  // all are on one node
  CHECK((round_trip_ns(MPI_COMM_WORLD, far, 1.0) > 0) == (ranks > 1));
}
