#include "measure/topology.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace tenken {

namespace {

const std::string cpu_folder = "/sys/devices/system/cpu/cpu";
const std::string node_folder = "/sys/devices/system/node";
const std::string tier_folder = "/sys/devices/virtual/memory_tiering";

std::string folder_of(int node) { return node_folder + "/node" + std::to_string(node); }

bool holds_memory(const Tree& tree, int node) {
  for (const auto& line : tree.lines(folder_of(node) + "/meminfo")) {  // "Node 0 MemTotal:   98304000 kB"
    const auto at = line.find("MemTotal:");
    if (at != std::string::npos) return parse_number(std::string_view(line).substr(at + 9)).value_or(0) > 0;
  }
  return false;
}

// The number of the memory tier of every node; a low number is fast memory.
std::map<int, int> tiers(const Tree& tree) {
  std::map<int, int> found;
  for (const int tier : tree.numbered(tier_folder, "memory_tier")) {
    const auto list = tier_folder + "/memory_tier" + std::to_string(tier) + "/nodelist";
    for (const int node : tree.cpus(list)) found[node] = tier;
  }
  return found;
}

std::optional<std::int64_t> read_bandwidth(const Tree& tree, int node) {
  return tree.number(folder_of(node) + "/access0/initiators/read_bandwidth");
}

// +1 where `node` is faster than the main memory, -1 slower, 0 alike; empty where nothing tells.
std::optional<int> against_main(const Tree& tree, int node, const std::vector<int>& main) {
  const auto tier = tiers(tree);
  const auto sign = [](auto a, auto b) { return a > b ? 1 : a < b ? -1 : 0; };
  int by_tier = 0;
  if (const auto own = tier.find(node); own != tier.end()) {
    for (const int other : main) {
      if (const auto theirs = tier.find(other); theirs != tier.end()) by_tier = sign(theirs->second, own->second);
    }
  }
  if (by_tier != 0) return by_tier;  // in one tier HBM and DRAM may still differ: kernels without HMAT put both there
  const auto own = read_bandwidth(tree, node);
  for (const int other : main) {
    if (const auto theirs = read_bandwidth(tree, other); own && theirs) return sign(*own, *theirs);
  }
  return std::nullopt;
}

std::vector<MemoryNode> read_memory(const Tree& tree) {
  std::vector<int> nodes = tree.numbered(node_folder, "node");
  std::vector<int> with;
  std::vector<int> main;
  for (const int node : nodes) {
    if (!holds_memory(tree, node)) continue;
    with.push_back(node);
    if (!tree.cpus(folder_of(node) + "/cpulist").empty()) main.push_back(node);
  }
  std::vector<MemoryNode> memory;
  for (const int node : with) {
    MemoryNode one{node, MemoryKind::main, {}};
    if (std::find(main.begin(), main.end(), node) == main.end()) {
      const auto faster = against_main(tree, node, main);
      one.kind = !faster       ? MemoryKind::unknown
                 : *faster > 0 ? MemoryKind::fast
                 : *faster < 0 ? MemoryKind::slow
                               : MemoryKind::main;
    }
    const auto told = split(tree.text(folder_of(node) + "/distance").value_or(""), ' ');
    if (told.size() == nodes.size()) {  // one for each node, with memory or not
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (std::find(with.begin(), with.end(), nodes[i]) != with.end()) {
          one.distances.push_back(static_cast<int>(parse_number(told[i]).value_or(0)));
        }
      }
    }
    memory.push_back(std::move(one));
  }
  return memory;
}

}  // namespace

std::string_view memory_kind_name(MemoryKind kind) {
  constexpr std::array<std::string_view, 4> names = {"main", "fast", "slow", "unknown"};
  return names[static_cast<std::size_t>(kind)];
}

std::vector<int> Topology::sockets() const {
  std::set<int> found;
  for (const Processor& one : processors) found.insert(one.socket);
  return {found.begin(), found.end()};
}

std::vector<int> Topology::numa_of(const std::vector<int>& cpus) const {
  std::set<int> found;
  for (const Processor& one : processors) {
    if (std::find(cpus.begin(), cpus.end(), one.cpu) != cpus.end()) found.insert(one.numa);
  }
  return {found.begin(), found.end()};
}

Topology read_topology(const Tree& tree, const std::vector<int>& usable) {
  std::map<int, int> numa;
  for (const int node : tree.numbered(node_folder, "node")) {
    for (const int cpu : tree.cpus(folder_of(node) + "/cpulist")) numa[cpu] = node;
  }
  Topology topology;
  std::map<int, int> threads_of_core;
  for (const int cpu : usable) {
    const auto folder = cpu_folder + std::to_string(cpu) + "/topology/";
    const auto siblings = tree.cpus(folder + "thread_siblings_list");
    Processor one;
    one.cpu = cpu;
    one.socket = static_cast<int>(std::max<std::int64_t>(tree.number(folder + "physical_package_id").value_or(0), 0));
    one.core = siblings.empty() ? cpu : siblings.front();
    one.thread = threads_of_core[one.core]++;
    one.numa = numa.contains(cpu) ? numa[cpu] : 0;
    topology.processors.push_back(one);
  }
  topology.memory = read_memory(tree);
  return topology;
}

}  // namespace tenken
