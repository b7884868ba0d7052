// Tables of the record.
#include "tables.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace tenken::planewave;

TEST_CASE("bands that cross between k-points are named, with the gap") {
  const std::vector<double> apart{-0.2, 0.1, 0.3, -0.1, -0.05, 0.4}, crossing{-0.2, 0.1, 0.3, -0.3, -0.25, 0.4};
  CHECK(std::abs(gap_of(apart, 3, 1) - 0.05) < 1e-15);
  CHECK(std::abs(gap_of(crossing, 3, 1) + 0.05) < 1e-15);
  CHECK(gap_table(0.05).name == "gap");
  const tenken::Table crosses = gap_table(-0.05);
  CHECK(crosses.name == "bands_cross_and_are_filled_as_an_insulator");
  CHECK(std::abs(*crosses.values[0] + 0.05 * 27.211386245988) < 1e-12);
}
