#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "measure/common_clock.hpp"

using tenken::CommonClock;

namespace {

struct Ranks {
  Ranks() {
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &all);
  }
  int me = 0;
  int all = 1;
};

// How far this rank's clock is from that of rank 0, which reads the same counter: both say when it showed a number.
double apart_ns(const CommonClock& clock, std::int64_t ticks_more) {
  std::int64_t seen = tenken::ticks_now();
  MPI_Bcast(&seen, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  const double mine = clock.ns(seen + ticks_more);
  double first = mine;
  MPI_Bcast(&first, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return std::abs(mine - first);
}

}  // namespace

TEST_CASE("ranks of one node read one clock") {
  const CommonClock clock(MPI_COMM_WORLD);
  CHECK(clock.nodes() == 1);
  CHECK(clock.error_ns() == 0);
  CHECK(apart_ns(clock, 0) == 0);
  const std::int64_t ticks = clock.ticks();
  CHECK(std::abs(clock.ticks_at(clock.ns(ticks)) - ticks) <= 1);
}

TEST_CASE("counters that show other numbers are brought together, within half a round trip") {
  const Ranks ranks;
  const std::int64_t more = 1'000'000'000LL * ranks.me * (ranks.me % 2 == 0 ? 1 : -1);  // half a second or so
  CommonClock clock(MPI_COMM_WORLD, {.apart = true, .ticks_more = more});
  CHECK(clock.nodes() == ranks.all);
  CHECK((clock.error_ns() == 0) == (ranks.me == 0));
  for (int i = 0; i < 3; ++i) {
    // Rates are known to 100 parts in a million at the least: 1 us in 10 ms.
    const double drifted = 1e-4 * clock.now();
    CHECK(apart_ns(clock, more) <= clock.error_ns() + drifted);
    CHECK(clock.error_ns() + drifted < 1e8);  // below what was planted
    clock.synchronise();
  }
}
