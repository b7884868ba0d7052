// Placement and counters on whole machines of several kinds, as they show themselves in /proc and /sys.
#include <doctest/doctest.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "base/caches.hpp"
#include "measure/bindings.hpp"
#include "measure/topology.hpp"
#include "measure/trust.hpp"
#include "testing/plant.hpp"

using namespace tenken;
using Lists = std::vector<std::vector<int>>;
using Numbers = std::vector<int>;

namespace {

// Of a machine's tree, with two threads on its first two processors.
struct Machine {
  explicit Machine(const std::string& name)
      : planted(MACHINES + name + ".tree"),
        tree(planted.root()),
        usable(parse_cpus(allowed())),
        topology(read_topology(tree, usable)) {
    placement.cpus = {0, 1};
    placement.tasks = {100, 101};
    counters = trust_now(placement, 1, tree);
  }
  std::string allowed() const {
    return value_of(tree.lines("/proc/self/status"), "Cpus_allowed_list", ':').value_or("");
  }
  Lists bound(int ranks, int threads, const std::string& placement_name) const {
    return bind_ranks(topology, ranks, threads, {placement_name, 0, ""});
  }
  // MiB of the last-level cache for each rank of the node, bound compactly.
  Numbers last_level(int ranks, int threads) const {
    const Lists all = bound(ranks, threads, "compact");
    Numbers mib;
    for (const Numbers& own : all) {
      mib.push_back(static_cast<int>(cache_share(read_caches(tree, own), threads, own, all).last_level / (1 << 20)));
    }
    return mib;
  }
  Numbers numa_of_each() const {
    Numbers nodes;
    for (const Processor& one : topology.processors) nodes.push_back(one.numa);
    return nodes;
  }

  testing::PlantedTree planted;
  Tree tree;
  Numbers usable;
  Topology topology;
  Placement placement;
  TrustSnapshot counters;
};

const std::int64_t jiffy_ns = 1'000'000'000 / sysconf(_SC_CLK_TCK);

}  // namespace

TEST_CASE("a desktop with second hardware threads") {
  const Machine machine("desktop");
  CHECK(machine.usable.size() == 16);
  CHECK(machine.topology.sockets() == Numbers{0});
  CHECK(machine.bound(2, 4, "compact") == Lists{{0, 1, 2, 3}, {4, 5, 6, 7}});
  CHECK(machine.bound(1, 16, "compact").front().back() == 15);
  CHECK(machine.topology.processors[9].core == 1);
  CHECK(machine.topology.processors[9].thread == 1);
  CHECK(memory_nodes(machine.topology, 0, "local") == Numbers{0});
  CHECK(machine.last_level(1, 16) == Numbers{32});
  CHECK(machine.last_level(4, 1) == Numbers{8, 8, 8, 8});
  CHECK(machine.counters.run_queue_wait_ns == std::vector<Count>{41000, 93000});
  CHECK(machine.counters.steal_ns == std::vector<Count>{0, 0});
  CHECK(!machine.counters.throttled_ns);  // its group has no quota to tell of
}

TEST_CASE("two sockets, each cut into two NUMA nodes") {
  const Machine machine("two_sockets_snc");
  CHECK(machine.topology.sockets() == Numbers{0, 1});
  CHECK(machine.numa_of_each() == Numbers{0, 0, 1, 1, 2, 2, 3, 3, 0, 0, 1, 1, 2, 2, 3, 3});
  CHECK(machine.topology.numa_of({0, 8, 3, 15}) == Numbers{0, 1, 3});
  CHECK(machine.topology.numa_of({}).empty());
  CHECK(machine.bound(1, 4, "scatter") == Lists{{0, 4, 2, 6}});
  CHECK(machine.bound(2, 2, "one_socket") == Lists{{0, 1}, {2, 3}});
  CHECK(memory_nodes(machine.topology, 3, "local") == Numbers{3});
  CHECK(machine.topology.memory[2].distances == Numbers{21, 21, 10, 12});
  CHECK(machine.last_level(1, 16) == Numbers{210});
  CHECK(machine.last_level(2, 4) == Numbers{105, 105});
  CHECK(machine.counters.throttled_ns == 3'150'000'000);  // by the job's quota, two groups above
}

TEST_CASE("many core complexes, each a NUMA node") {
  const Machine machine("many_ccx");
  CHECK(machine.topology.sockets() == Numbers{0});
  CHECK(machine.numa_of_each() == Numbers{0, 0, 1, 1, 2, 2, 3, 3});
  CHECK(machine.bound(1, 4, "scatter") == Lists{{0, 2, 4, 6}});
  CHECK(machine.bound(4, 2, "compact") == Lists{{0, 1}, {2, 3}, {4, 5}, {6, 7}});
  CHECK(machine.bound(9, 1, "compact").empty());
  CHECK(machine.last_level(2, 1) == Numbers{16, 16});
  CHECK(machine.last_level(2, 2) == Numbers{32, 32});
  CHECK(machine.last_level(1, 8) == Numbers{128});
  CHECK(machine.counters.throttled_ns == 1'540'000'321);
  CHECK(machine.counters.run_queue_wait_ns == std::vector<Count>{300, 200});
}

TEST_CASE("a virtual machine whose host takes time away") {
  const Machine machine("vm_with_steal");
  CHECK(machine.topology.sockets() == Numbers{0, 1, 2, 3});
  CHECK(machine.bound(1, 4, "scatter") == Lists{{0, 1, 2, 3}});
  CHECK(machine.bound(1, 1, "one_socket") == Lists{{0}});
  CHECK(machine.last_level(4, 1) == Numbers{16, 16, 16, 16});
  CHECK(machine.counters.steal_ns == std::vector<Count>{400 * jiffy_ns, 900 * jiffy_ns});
  CHECK(!machine.counters.throttled_ns);
}

TEST_CASE("a container that shows nothing") {
  const Machine machine("bare_container");
  CHECK(machine.usable == Numbers{0, 1});
  CHECK(machine.numa_of_each() == Numbers{0, 0});
  CHECK(machine.bound(2, 1, "compact") == Lists{{0}, {1}});
  CHECK(machine.last_level(2, 1) == Numbers{0, 0});
  CHECK(machine.topology.memory.empty());
  CHECK(machine.counters.run_queue_wait_ns == std::vector<Count>{std::nullopt, std::nullopt});
  CHECK(machine.counters.steal_ns == std::vector<Count>{std::nullopt, std::nullopt});
  CHECK(!machine.counters.throttled_ns);
  CHECK(machine.counters.cpu_ns);
  const Trust trust = between(machine.counters, machine.counters, machine.placement);
  CHECK(!trust.steal_ns);
  CHECK(!trust.run_queue_wait_ns);
  CHECK(trust.cpu_ns == 0);
}
