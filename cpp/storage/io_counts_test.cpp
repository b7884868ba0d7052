#include "storage/io_counts.hpp"

#include <doctest/doctest.h>

#include "testing/plant.hpp"

using namespace tenken;
using namespace tenken::storage;

namespace {

TEST_CASE("the four counts are read, or nothing") {
  const testing::PlantedTree tree;
  CHECK_FALSE(io_counts(Tree(tree.root())));
  tree.write(
      "proc/self/io",
      "rchar: 1948\nwchar: 7\nsyscr: 9\nsyscw: 0\nread_bytes: 4096\nwrite_bytes: 8192\ncancelled_write_bytes: 0");
  const auto counts = io_counts(Tree(tree.root()));
  REQUIRE(counts);
  CHECK(*counts == IoCounts{1948, 7, 4096, 8192});
  CHECK(*counts - IoCounts{948, 6, 96, 192} == IoCounts{1000, 1, 4000, 8000});
}

TEST_CASE("between two moments the reading of the counts is no part") {
  const testing::PlantedTree tree;
  CHECK_FALSE(Counting(Tree(tree.root())).end());
  tree.write("proc/self/io", "rchar: 100\nwchar: 7\nread_bytes: 0\nwrite_bytes: 0\n");
  const Counting counting{Tree(tree.root())};
  tree.write("proc/self/io", "rchar: 148\nwchar: 9\nread_bytes: 4096\nwrite_bytes: 0\n");
  const auto counts = counting.end();
  REQUIRE(counts);
  CHECK(*counts == IoCounts{48, 2, 4096, 0});
}

}  // namespace
