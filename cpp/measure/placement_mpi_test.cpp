// Runs on 2 ranks.
#include <doctest/doctest.h>
#include <omp.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "base/error.hpp"
#include "measure/node_caches.hpp"
#include "measure/placement.hpp"
#include "testing/plant.hpp"

using namespace tenken;
using Numbers = std::vector<int>;

namespace {

constexpr int first_node = 900;  // no machine has such nodes: what is read of them is the tree's

Numbers allowed_now() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  Numbers cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  }
  return cpus;
}

// Each processor that this test may use is a socket and a NUMA node of its own. They are given back at the end.
struct Node {
  Node() {
    sched_getaffinity(0, sizeof before, &before);
    for (std::size_t i = 0; i < cpus.size(); ++i) {
      const std::string cpu = std::to_string(cpus[i]);
      planted.write("sys/devices/system/cpu/cpu" + cpu + "/topology/physical_package_id", std::to_string(i));
      const std::string node = "sys/devices/system/node/node" + std::to_string(first_node + i) + "/";
      planted.write(node + "cpulist", cpu);
      planted.write(node + "meminfo", "Node " + std::to_string(first_node + i) + " MemTotal: 1000 kB");
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  }
  ~Node() { sched_setaffinity(0, sizeof before, &before); }
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  Placement placed(int threads, const Wish& wish) const {
    return place(MPI_COMM_WORLD, threads, wish, Tree(planted.root()));
  }
  std::string refused(int threads, const Wish& wish) const {
    try {
      placed(threads, wish);
    } catch (const UserError& error) {
      CHECK(error.code() == ExitCode::refused);
      return error.what();
    }
    return "";
  }
  void only(int cpu) const {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
  }

  testing::PlantedTree planted;
  Numbers cpus = allowed_now();
  cpu_set_t before{};
  int rank = 0;
  int ranks = 1;
};

Topology two_nodes() {
  Topology topology;
  topology.processors = {{0, 0, 0, 0, 0}, {1, 0, 1, 0, 0}, {5, 1, 5, 0, 1}};
  topology.memory = {{0, MemoryKind::main, {10, 21}}, {1, MemoryKind::main, {21, 10}}};
  return topology;
}

}  // namespace

TEST_CASE("ranks that share processors are bound each to its own, and know their NUMA nodes") {
  const Node node;
  const int all = static_cast<int>(node.cpus.size());
  if (all < node.ranks) return;
  const Placement placement = node.placed(1, {"compact", 0, ""});
  const auto mine = static_cast<std::size_t>(node.rank);
  CHECK(placement.bound);
  CHECK(!placement.oversubscribed);
  CHECK(placement.place == node.rank);
  CHECK(placement.node_ranks == node.ranks);
  CHECK(placement.cpus == Numbers{node.cpus[mine]});
  CHECK(placement.numa == Numbers{first_node + node.rank});
  CHECK(allowed_now() == placement.cpus);
  CHECK(placement.tasks == std::vector<pid_t>{static_cast<pid_t>(syscall(SYS_gettid))});
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  CHECK(placement.host == host);
}

TEST_CASE("more threads than processors are left to the system") {
  const Node node;
  if (node.cpus.size() > 64) return;
  const int threads = static_cast<int>(node.cpus.size()) / node.ranks + 1;
  const Placement placement = node.placed(threads, {"compact", 0, ""});
  CHECK(!placement.bound);
  CHECK(placement.oversubscribed);
  CHECK(placement.cpus == node.cpus);
  CHECK(placement.numa.size() == node.cpus.size());
  CHECK(placement.numa.front() == first_node);
  CHECK(placement.tasks.size() == static_cast<std::size_t>(threads));
  for (const pid_t task : placement.tasks) CHECK(task > 0);
  CHECK(allowed_now() == node.cpus);
  if (static_cast<int>(node.cpus.size()) % node.ranks == 0) {
    const Placement none = node.placed(static_cast<int>(node.cpus.size()) / node.ranks, {"none", 0, ""});
    CHECK(!none.bound);
    CHECK(!none.oversubscribed);
  }
}

TEST_CASE("each thread is bound to one processor") {
  const Node node;
  const int threads = static_cast<int>(node.cpus.size()) / node.ranks;
  if (threads < 1 || threads > 64) return;
  const Placement placement = node.placed(threads, {"compact", 0, ""});
  REQUIRE(placement.bound);
  CHECK(processors_now(threads) == placement.cpus);
  REQUIRE(placement.cpus.size() == static_cast<std::size_t>(threads));
  for (std::size_t i = 0; i < placement.cpus.size(); ++i) {
    CHECK(placement.cpus[i] == node.cpus[static_cast<std::size_t>(node.rank * threads) + i]);
  }
}

TEST_CASE("a rank to which the launcher gave processors stays inside them") {
  const Node node;
  if (node.ranks < 2 || node.cpus.size() < 2) return;
  const int own = node.cpus[node.cpus.size() - 1 - static_cast<std::size_t>(node.rank)];
  node.only(own);
  const Placement placement = node.placed(1, {"compact", 0, ""});
  CHECK(placement.bound);
  CHECK(!placement.oversubscribed);
  CHECK(placement.cpus == Numbers{own});
  CHECK(placement.node_ranks == node.ranks);
  CHECK(node.placed(2, {"compact", 0, ""}).oversubscribed);
  CHECK(!node.placed(1, {"none", 0, ""}).bound);
  const std::string advice = ": the launcher bound each rank to processors; start the ranks without binding";
  CHECK(node.refused(1, {"scatter", 0, ""}) == "placement scatter with reserve 0" + advice);
  CHECK(node.refused(1, {"compact", 1, ""}) == "placement compact with reserve 1" + advice);
  CHECK(node.refused(1, {"none", 1, ""}) == "placement none with reserve 1" + advice);
}

TEST_CASE("memory of a node that the system does not have is refused") {
  const Node node;
  if (static_cast<int>(node.cpus.size()) < node.ranks) return;
  CHECK(node.refused(1, {"compact", 0, "local"})
            .starts_with("membind local: this system does not let programs choose their memory (set_mempolicy: "));
}

TEST_CASE("ranks of a node divide the last-level cache that both reach, and keep what is their own") {
  const Node node;
  for (const int rank : {0, 1}) {
    const std::string cache = "sys/devices/system/cpu/cpu" + std::to_string(rank) + "/cache/index";
    for (const int level : {2, 3}) {
      const std::string at = cache + std::to_string(level) + "/";
      node.planted.write(at + "level", std::to_string(level));
      node.planted.write(at + "size", level == 2 ? "1024K" : "32768K");
      node.planted.write(at + "shared_cpu_list", level == 2 ? std::to_string(rank) : "0-1");
    }
  }
  const CacheShare share = cache_share_of_rank(MPI_COMM_WORLD, 1, {node.rank % 2}, Tree(node.planted.root()));
  CHECK(share.second_level == 1024 * 1024);
  CHECK(share.last_level == 32.0 * 1024 * 1024 / node.ranks);
}

TEST_CASE("each thread's memory is that of the processor it is bound to") {
  using Lists = std::vector<Numbers>;
  const Topology topology = two_nodes();
  Placement placement;
  placement.bound = true;
  placement.cpus = {5, 1};
  CHECK(memory_of_threads(topology, placement, 2, {"compact", 0, ""}) == Lists{{}, {}});
  CHECK(memory_of_threads(topology, placement, 2, {"compact", 0, "local"}) == Lists{{1}, {0}});
  CHECK(memory_of_threads(topology, placement, 2, {"compact", 0, "main"}) == Lists{{1}, {0}});
  placement.bound = false;
  CHECK(memory_of_threads(topology, placement, 2, {"compact", 0, "0"}) == Lists{{0}, {0}});
  CHECK(memory_of_threads(topology, placement, 3, {"compact", 0, "main"}) == Lists{{1}, {1}, {1}});
  CHECK_THROWS_WITH_AS(
      memory_of_threads(topology, placement, 2, {"compact", 0, "local"}),
      "membind local needs bound threads, and nothing is bound here; choose a placement or fewer threads", UserError);
}
