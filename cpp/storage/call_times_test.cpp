// Late calls are counted and placed; fast calls and passes that do not count are none.
#include "storage/call_times.hpp"

#include <doctest/doctest.h>

using namespace tenken::storage;

namespace {

constexpr double ms = 1e6;

TEST_CASE("calls of ten times the median and 20 ms are late, and the longest has its place") {
  CallTimes times(10);
  for (int i = 0; i < 8; ++i) times.add(1 * ms, i * 64);
  times.add(21 * ms, 512);
  times.add(30 * ms, 576);
  times.end_pass(true);
  CHECK((times.late().calls == 10 && times.late().late == 2));
  CHECK((times.late().longest_ns == 30 * ms && times.late().longest_at == 576));
}

TEST_CASE("a slow call that is short, or no slower than its neighbours, is not late") {
  CallTimes quick(10), slow(10);
  for (int i = 0; i < 9; ++i) quick.add(0.01 * ms, i);
  quick.add(19 * ms, 9);  // 1,900 times the median, below 20 ms
  quick.end_pass(true);
  CHECK(quick.late().late == 0);
  for (int i = 0; i < 9; ++i) slow.add(25 * ms, i);
  slow.add(200 * ms, 9);  // 8 times the median
  slow.end_pass(true);
  CHECK(slow.late().late == 0);
}

TEST_CASE("a pass that does not count leaves nothing, and passes add") {
  CallTimes times(4);
  times.add(1 * ms, 0);
  times.add(90 * ms, 8);
  times.end_pass(false);
  CHECK(times.late().calls == 0);
  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < 3; ++i) times.add(1 * ms, i);
    times.add(40 * ms, 24);
    times.end_pass(true);
  }
  CHECK((times.late().calls == 8 && times.late().late == 2));
}

}  // namespace
