#include "parallel/neighbour_class.hpp"

#include <doctest/doctest.h>

#include "testing/plant.hpp"

using namespace tenken;

namespace {

// A node of two packages with two cores of two hardware threads each; the cores of a package share its last cache.
TEST_CASE("processors are near by core, cache, package and node") {
  const testing::PlantedTree tree;
  for (int cpu = 0; cpu < 8; ++cpu) {
    const std::string folder = "sys/devices/system/cpu/cpu" + std::to_string(cpu);
    const int first = cpu / 2 * 2, package = cpu / 4;
    const std::string core = std::to_string(first) + "-" + std::to_string(first + 1);
    tree.write(folder + "/topology/thread_siblings_list", core);
    tree.write(folder + "/topology/physical_package_id", std::to_string(package));
    tree.write(folder + "/cache/index0/level", "1");
    tree.write(folder + "/cache/index0/shared_cpu_list", core);
    tree.write(folder + "/cache/index3/level", "3");
    tree.write(folder + "/cache/index3/shared_cpu_list", package == 0 ? "0-3" : core);
  }
  const Tree of(tree.root());
  CHECK(near_of(of, 0, 1) == Near::core);
  CHECK(near_of(of, 0, 0) == Near::core);
  CHECK(near_of(of, 0, 3) == Near::cache);
  CHECK(near_of(of, 4, 7) == Near::socket);
  CHECK(near_of(of, 3, 4) == Near::node);
  CHECK(near_of(of, -1, 4) == Near::unknown);
}

}  // namespace
