#include <doctest/doctest.h>

#include <cmath>

#include "last_to_come.hpp"

using namespace mpi_collectives;

TEST_CASE("the rank that is delayed inside of a call takes that much longer where it comes last") {
  constexpr double delay_ns = 10e6;  // more than other load takes in most calls
  const Participants group(MPI_COMM_WORLD, "all");
  tenken::CommonClock clock(MPI_COMM_WORLD);
  Windows windows(MPI_COMM_WORLD, clock, true);  // windows that begin late count as well
  LastToCome last(group, windows, clock.ns_per_tick());
  for (const double never : last.medians()) CHECK(std::isnan(never));
  last.pass(false);
  for (const double untimed : last.medians()) CHECK(std::isnan(untimed));
  const bool delayed = group.rank() == group.size() - 1;
  for (int pass = 0; pass < 3 * group.size(); ++pass) last.pass(true, delayed ? delay_ns : 0);
  for (const double us : last.medians()) {
    CHECK(std::isnan(us) == (group.size() < 2));
    if (group.size() > 1 && delayed) CHECK(us >= delay_ns / 1000);
  }
  CHECK(LastToCome::names().size() == last.medians().size());
}
