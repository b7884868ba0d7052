#include "measure/bindings.hpp"

#include <doctest/doctest.h>

#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "testing/plant.hpp"

using namespace tenken;
using Lists = std::vector<std::vector<int>>;

namespace {

std::string sibling_list(const std::vector<int>& cpus) {
  std::string text;
  for (const int cpu : cpus) text += (text.empty() ? "" : ",") + std::to_string(cpu);
  return text;
}

void plant_core(const testing::PlantedTree& tree, const std::vector<int>& cpus, int socket) {
  for (const int cpu : cpus) {
    const std::string at = "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/";
    tree.write(at + "physical_package_id", std::to_string(socket));
    tree.write(at + "thread_siblings_list", sibling_list(cpus));
  }
}

void plant_node(const testing::PlantedTree& tree, int node, const std::string& cpus, const std::string& distances,
                long kilobytes = 98304000) {
  const std::string at = "sys/devices/system/node/node" + std::to_string(node) + "/";
  tree.write(at + "cpulist", cpus);
  tree.write(at + "distance", distances);
  tree.write(at + "meminfo", "Node " + std::to_string(node) + " MemTotal: " + std::to_string(kilobytes) + " kB");
}

std::vector<int> all(int cpus) {
  std::vector<int> list(static_cast<std::size_t>(cpus));
  std::iota(list.begin(), list.end(), 0);
  return list;
}

// Two sockets of two NUMA nodes of two cores of two hardware threads: core c is CPU c and c + 8.
Topology two_sockets() {
  const testing::PlantedTree tree;
  for (int core = 0; core < 8; ++core) plant_core(tree, {core, core + 8}, core / 4);
  const std::string far[] = {"10 12 32 32", "12 10 32 32", "32 32 10 12", "32 32 12 10"};
  for (int node = 0; node < 4; ++node) {
    plant_node(tree, node, sibling_list({2 * node, 2 * node + 1, 2 * node + 8, 2 * node + 9}), far[node]);
  }
  return read_topology(Tree(tree.root()), all(16));
}

// Two sockets whose CPU numbers alternate between them, as some firmware deals them.
Topology alternating() {
  const testing::PlantedTree tree;
  for (int cpu = 0; cpu < 8; ++cpu) plant_core(tree, {cpu}, cpu % 2);
  plant_node(tree, 0, "0,2,4,6", "10 21");
  plant_node(tree, 1, "1,3,5,7", "21 10");
  return read_topology(Tree(tree.root()), all(8));
}

// Two sockets with DRAM (0, 1), HBM beside each (2, 3), and memory behind a link (4); `by` says how the kernel tells.
Topology two_kinds(const std::string& by) {
  const testing::PlantedTree tree;
  for (int cpu = 0; cpu < 4; ++cpu) plant_core(tree, {cpu}, cpu / 2);
  plant_node(tree, 0, "0-1", "10 21 13 23 40 40");
  plant_node(tree, 1, "2-3", "21 10 23 13 50 50");
  plant_node(tree, 2, "", "13 23 10 23 60 60", 16384000);
  plant_node(tree, 3, "", "23 13 23 10 60 60", 16384000);
  plant_node(tree, 4, "", "40 50 60 60 10 60");
  plant_node(tree, 5, "", "40 50 60 60 60 10", 0);  // holds no memory: never chosen
  if (by == "tiers") {
    const std::string at = "sys/devices/virtual/memory_tiering/memory_tier";
    tree.write(at + "2/nodelist", "2-3");
    tree.write(at + "4/nodelist", "0-1");
    tree.write(at + "22/nodelist", "4");
  } else if (by == "bandwidth") {
    const std::map<int, int> rates = {{0, 200000}, {1, 200000}, {2, 800000}, {3, 800000}, {4, 30000}};
    for (const auto& [node, rate] : rates) {
      tree.write("sys/devices/system/node/node" + std::to_string(node) + "/access0/initiators/read_bandwidth",
                 std::to_string(rate));
    }
  }
  return read_topology(Tree(tree.root()), all(4));
}

std::string refusal(auto&& call) {
  try {
    call();
  } catch (const UserError& error) {
    CHECK(error.code() == ExitCode::refused);
    return error.what();
  }
  return "";
}

Wish wish(const std::string& placement, int reserve = 0) { return {placement, reserve, ""}; }

}  // namespace

TEST_CASE("placements on two sockets") {
  const Topology node = two_sockets();
  CHECK(node.sockets() == std::vector<int>{0, 1});
  SUBCASE("compact") {
    CHECK(bind_ranks(node, 1, 3, wish("compact")) == Lists{{0, 1, 2}});
    CHECK(bind_ranks(node, 2, 4, wish("compact")) == Lists{{0, 1, 2, 3}, {4, 5, 6, 7}});
    CHECK(bind_ranks(node, 1, 10, wish("compact")) == Lists{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}});
    CHECK(bind_ranks(node, 17, 1, wish("compact")).empty());
  }
  SUBCASE("scatter") {
    CHECK(bind_ranks(node, 1, 4, wish("scatter")) == Lists{{0, 4, 2, 6}});
    CHECK(bind_ranks(node, 1, 8, wish("scatter")) == Lists{{0, 4, 2, 6, 1, 5, 3, 7}});
    CHECK(bind_ranks(node, 2, 2, wish("scatter")) == Lists{{0, 1}, {4, 5}});
    CHECK(bind_ranks(node, 4, 2, wish("scatter")) == Lists{{0, 1}, {4, 5}, {2, 3}, {6, 7}});
    CHECK(bind_ranks(node, 2, 3, wish("scatter")) == Lists{{0, 1, 2}, {4, 5, 6}});
  }
  SUBCASE("one socket") {
    CHECK(bind_ranks(node, 2, 2, wish("one_socket")) == Lists{{0, 1}, {2, 3}});
    CHECK(refusal([&] { bind_ranks(node, 1, 5, wish("one_socket")); }) ==
          "placement one_socket (socket 0) leaves 4 cores of 8 cores here, and 1 rank x 5 threads need 5; use fewer "
          "threads or another placement");
  }
  SUBCASE("without the first core") {
    CHECK(bind_ranks(node, 1, 3, wish("skip_first")) == Lists{{1, 2, 3}});
    CHECK(refusal([&] { bind_ranks(node, 8, 1, wish("skip_first")); }).find("leaves 7 cores") != std::string::npos);
  }
  SUBCASE("cores left free are the last ones, with both hardware threads") {
    CHECK(bind_ranks(node, 1, 6, wish("compact", 2)) == Lists{{0, 1, 2, 3, 4, 5}});
    CHECK(bind_ranks(node, 1, 6, wish("scatter", 2)) == Lists{{0, 4, 2, 5, 1, 3}});
    CHECK(bind_ranks(node, 1, 5, wish("skip_first", 2)) == Lists{{1, 2, 3, 4, 5}});
    CHECK(refusal([&] { bind_ranks(node, 1, 7, wish("compact", 2)); }).find("leaves 6 cores") != std::string::npos);
    CHECK(refusal([&] { bind_ranks(node, 1, 1, wish("compact", 99)); }).find("leaves 0 cores") != std::string::npos);
  }
  SUBCASE("nothing bound") {
    CHECK(bind_ranks(node, 1, 2, wish("none")).empty());
    CHECK(refusal([&] { bind_ranks(node, 1, 2, wish("none", 1)); }).starts_with("reserve needs bound threads"));
  }
}

TEST_CASE("compact goes by sockets, not by the numbers of processors") {
  CHECK(bind_ranks(alternating(), 1, 4, wish("compact")) == Lists{{0, 2, 4, 6}});
  CHECK(bind_ranks(alternating(), 1, 4, wish("scatter")) == Lists{{0, 1, 2, 3}});
  CHECK(bind_ranks(alternating(), 2, 2, wish("one_socket")) == Lists{{0, 2}, {4, 6}});
}

TEST_CASE("only usable processors are bound") {
  const testing::PlantedTree tree;
  for (int core = 0; core < 4; ++core) plant_core(tree, {core, core + 4}, 0);
  const Topology node = read_topology(Tree(tree.root()), {2, 3, 6});
  CHECK(bind_ranks(node, 1, 3, wish("compact")) == Lists{{2, 3, 6}});
  CHECK(bind_ranks(node, 1, 1, wish("skip_first")) == Lists{{3}});
  // Nothing is told: each processor is a core of its own.
  CHECK(bind_ranks(read_topology(Tree(tree.root() / "none"), {0, 5}), 2, 1, wish("scatter")) == Lists{{0}, {5}});
}

TEST_CASE("memory of two kinds, told by tiers or by bandwidth") {
  for (const std::string by : {"tiers", "bandwidth"}) {
    CAPTURE(by);
    const Topology node = two_kinds(by);
    CHECK(memory_nodes(node, 1, "").empty());
    CHECK(memory_nodes(node, 1, "local") == std::vector<int>{1});
    CHECK(memory_nodes(node, 0, "main") == std::vector<int>{0});
    CHECK(memory_nodes(node, 0, "fast") == std::vector<int>{2});
    CHECK(memory_nodes(node, 1, "fast") == std::vector<int>{3});
    CHECK(memory_nodes(node, 1, "slow") == std::vector<int>{4});
    CHECK(memory_nodes(node, 1, "4") == std::vector<int>{4});
    CHECK(refusal([&] { memory_nodes(node, 0, "5"); }) ==
          "membind 5: no memory node of that number; there are 0 (main), 1 (main), 2 (fast), 3 (fast), 4 (slow)");
    CHECK(refusal([&] { memory_nodes(node, 0, "hbm"); }).starts_with("membind 'hbm' is not known; expected local"));
    CHECK(refusal([&] { memory_nodes(node, 0, "99999999999"); }).find("no memory node") != std::string::npos);
  }
}

TEST_CASE("memory that the system does not tell is never guessed") {
  const Topology node = two_kinds("nothing");
  CHECK(refusal([&] { memory_nodes(node, 0, "fast"); }) ==
        "membind fast: no such memory here; nodes are 0 (main), 1 (main), 2 (unknown), 3 (unknown), 4 (unknown)");
  CHECK(memory_nodes(node, 0, "2") == std::vector<int>{2});
  CHECK(refusal([] { memory_nodes({}, 0, "local"); }).find("does not report its memory nodes") != std::string::npos);
}
