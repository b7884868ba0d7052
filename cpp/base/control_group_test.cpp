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

TEST_CASE("the memory that is left is that of the group that leaves least, and page cache gives way") {
  const PlantedTree unified;
  unified.write("proc/self/cgroup", "0::/job/step");
  CHECK_FALSE(memory_left(Tree(unified.root())));
  unified.write("sys/fs/cgroup/job/step/memory.max", "max");
  unified.write("sys/fs/cgroup/job/step/memory.current", "1000");
  unified.write("sys/fs/cgroup/job/memory.max", "10000");
  unified.write("sys/fs/cgroup/job/memory.current", "4000");
  unified.write("sys/fs/cgroup/memory.max", "9000");
  CHECK(memory_left(Tree(unified.root())) == 6000);
  unified.write("sys/fs/cgroup/memory.current", "8500");
  CHECK(memory_left(Tree(unified.root())) == 500);
  unified.write("sys/fs/cgroup/memory.stat", "anon 5500\nfile 3000\ninactive_file 2500\nactive_file 500");
  CHECK(memory_left(Tree(unified.root())) == 3000);
  unified.write("sys/fs/cgroup/memory.current", "20000");
  CHECK(memory_left(Tree(unified.root())) == 0);
}

TEST_CASE("version 1 counts the page cache of groups below too") {
  const PlantedTree first;
  first.write("proc/self/cgroup", "4:cpu,memory:/job");
  first.write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "10000");
  first.write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "7000");
  first.write("sys/fs/cgroup/memory/job/memory.stat", "inactive_file 1\ntotal_inactive_file 2000");
  CHECK(memory_left(Tree(first.root())) == 5000);
}

}  // namespace
