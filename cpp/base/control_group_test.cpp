#include "base/control_group.hpp"

#include <doctest/doctest.h>

#include "testing/plant.hpp"

using namespace tenken;
using testing::PlantedTree;

namespace {

TEST_CASE("the least memory limit of a group and of the groups above it binds") {
  const PlantedTree unified;
  unified.write("proc/self/cgroup", "0::/job/step");
  unified.write("sys/fs/cgroup/job/step/memory.max", "max");
  unified.write("sys/fs/cgroup/job/memory.max", "268435456");
  unified.write("sys/fs/cgroup/memory.max", "536870912");
  CHECK(memory_limit(Tree(unified.root())) == 268435456);
}

TEST_CASE("a limit of version 1 counts, and its huge number means none") {
  const PlantedTree first;
  first.write("proc/self/cgroup", "4:cpu,memory:/job");
  first.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
  CHECK_FALSE(memory_limit(Tree(first.root())));
  first.write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "1048576");
  CHECK(memory_limit(Tree(first.root())) == 1048576);
}

}  // namespace
