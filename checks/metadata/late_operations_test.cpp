// Late operations by both limits, with the file of the longest operation.
#include "late_operations.hpp"

#include <doctest/doctest.h>

using metadata::LateOperations;

namespace {

TEST_CASE("late is ten times the median and 20 ms") {
  LateOperations of;
  for (const double ns : {1e3, 1e3, 1e3, 9e3, 1.9e7, 2.1e7}) of.add(ns);
  of.end_pass(true);
  CHECK(of.operations() == 6);
  CHECK(of.late() == 1);
  CHECK(of.longest_file() == 5);
  CHECK(of.longest_ns() == doctest::Approx(2.1e7));
  for (const double ns : {3e6, 3e6, 2.9e7, 3.1e7, 3e6}) of.add(ns);  // the median decides: 30 ms
  of.end_pass(true);
  CHECK(of.operations() == 11);
  CHECK(of.late() == 2);
  CHECK(of.longest_file() == 3);
}

TEST_CASE("operations of a pass that does not count are dropped") {
  LateOperations of;
  of.add(1e9);
  of.end_pass(false);
  of.end_pass(true);
  CHECK(of.operations() == 0);
  CHECK(of.longest_ns() == 0);
}

}  // namespace
