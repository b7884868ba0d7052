#include <doctest/doctest.h>

#include <string>

#include "cards.hpp"
#include "cores.hpp"
#include "curve.hpp"
#include "late.hpp"
#include "testing/plant.hpp"

using namespace mpi_pt2pt;

namespace {

// Two sockets of two cores with two hardware threads each.
tenken::Topology two_sockets() {
  tenken::Topology topology;
  for (int cpu = 0; cpu < 8; ++cpu) topology.processors.push_back({cpu, cpu % 4 / 2, cpu % 4, cpu / 4, cpu % 4 / 2});
  return topology;
}

}  // namespace

TEST_CASE("two ranks sit on the sockets that were asked for, and not on one core") {
  const tenken::Topology node = two_sockets();
  const auto cpu = [&](const char* sockets, bool starts, bool one_node) {
    return seat_on(node, sockets, starts, one_node).cpu;
  };
  CHECK(cpu("0-0", true, true) == 0);
  CHECK(cpu("0-0", false, true) == 1);
  CHECK(cpu("0-1", true, true) == 0);
  CHECK(cpu("0-1", false, true) == 2);
  CHECK(cpu("1-1", true, true) == 2);
  CHECK(cpu("1-1", false, true) == 3);
  CHECK(cpu("1-1", false, false) == 2);  // on a node of its own: the first core there
  tenken::Topology small;
  small.processors = {{0, 0, 0, 0, 0}, {1, 0, 0, 1, 0}};
  CHECK(seat_on(small, "0-1", false, true).problem == "there is no socket 1: 1 can be used");
  CHECK(seat_on(small, "0-0", false, true).problem == "socket 0 has one core, and two are needed");
  CHECK(seat_on(small, "0-0", false, false).cpu == 0);
}

TEST_CASE("a scan visits what was asked for, and names what is not there") {
  std::string problem;
  CHECK(visited({-1}, {0, 1, 4}, problem) == std::vector<int>{0, 1, 4});
  CHECK(visited({4, 0, 4}, {0, 1, 4}, problem) == std::vector<int>{4, 0});
  CHECK(problem.empty());
  CHECK(visited({1, 99}, {0, 1, 2, 4}, problem).empty());
  CHECK(problem == "--cores names processor 99, which rank 0 may not use; choose among 0-2,4");
}

TEST_CASE("cards are read with the processors near them and their interrupts; what has no device is none") {
  const tenken::testing::PlantedTree tree;
  tree.write("sys/class/net/lo/address", "00:00");
  tree.write("sys/class/infiniband/hfi1_0/device/local_cpulist", "4-5");
  tree.write("sys/class/infiniband/hfi1_0/device/msi_irqs/57", "msix");
  tree.write("proc/irq/57/smp_affinity_list", "8,9");
  tree.write("proc/irq/57/effective_affinity_list", "9");
  const auto cards = cards_of(tenken::Tree(tree.root()));
  REQUIRE(cards.size() == 1);
  const tenken::Table near = near_table(cards, {3, 4});
  CHECK(near.rows == std::vector<std::string>{"hfi1_0"});
  CHECK(near.columns == std::vector<std::string>{"3", "4"});
  CHECK(near.values == std::vector<std::optional<double>>{0.0, 1.0});
  const tenken::Table interrupts = interrupt_table(cards);
  CHECK(interrupts.rows == std::vector<std::string>{"hfi1_0/57"});
  CHECK(interrupts.values == std::vector<std::optional<double>>{9.0});
}

TEST_CASE("the largest size that is sent without waiting is found to the byte") {
  for (const std::int64_t limit : {0, 1, 2, 4032, 65535, 99999, 100000}) {
    int asked = 0;
    const auto waits = [&](std::int64_t size) {
      ++asked;
      CHECK(size >= 1);
      CHECK(size <= 100000);
      return size > limit;
    };
    CHECK(last_that_does_not(waits, 100000) == limit);
    CHECK(asked <= 17);
  }
}

TEST_CASE("windows hold as many messages as were asked for, of large ones 4 MiB, and two at least") {
  CHECK(window_of(8, 64) == 64);
  CHECK(window_of(1 << 20, 64) == 4);
  CHECK(window_of(1 << 30, 64) == 2);
  CHECK(window_of(1 << 30, 1) == 1);
}
