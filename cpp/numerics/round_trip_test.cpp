#include "numerics/round_trip.hpp"

#include <doctest/doctest.h>
#include <omp.h>

namespace {

TEST_CASE("round trips carry each message once, in order, and go on where the last ones ended") {
  tenken::RoundTrips lines;
  std::int64_t wrong = 0;
#pragma omp parallel num_threads(2) reduction(+ : wrong)
  {
    const bool starts = omp_get_thread_num() == 0;
    wrong += lines.by_sequence(starts, 50);
    wrong += lines.by_capture(starts, 50);
    wrong += lines.by_sequence(starts, 3);
  }
  CHECK(wrong == 0);
}

TEST_CASE("a message that is not the expected one is counted") {
  tenken::RoundTrips lines;
  std::int64_t wrong = 0;
#pragma omp parallel num_threads(2) reduction(+ : wrong)
  {
    const bool starts = omp_get_thread_num() == 0;
    // Two messages are captured one by one: the second of these partners expects 1, 2 and gets 1, 1, 1.
    if (starts) {
      for (int i = 0; i < 3; ++i) wrong += lines.by_capture(true, 1);
    } else {
      wrong += lines.by_capture(false, 3);
    }
  }
  CHECK(wrong == 4);
}

}  // namespace
