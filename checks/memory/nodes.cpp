#include "nodes.hpp"

#include <map>

namespace memory {

Nodes nodes_of(const tenken::Topology& topology, const std::vector<int>& cpus) {
  std::map<int, int> numa_of;
  for (const tenken::Processor& one : topology.processors) numa_of[one.cpu] = one.numa;
  std::map<int, std::vector<int>> threads_of;
  for (std::size_t thread = 0; thread < cpus.size(); ++thread) {
    const auto found = numa_of.find(cpus[thread]);
    threads_of[found == numa_of.end() ? 0 : found->second].push_back(static_cast<int>(thread));
  }
  Nodes nodes;
  for (const auto& [numa, threads] : threads_of) {
    nodes.near.push_back(numa);
    nodes.threads.push_back(threads);
    nodes.near_names.push_back("cores of " + std::to_string(numa));
  }
  for (const tenken::MemoryNode& one : topology.memory) {
    nodes.memory.push_back(one.node);
    nodes.memory_names.push_back(std::to_string(one.node) + " " + std::string(memory_kind_name(one.kind)));
  }
  return nodes;
}

}  // namespace memory
