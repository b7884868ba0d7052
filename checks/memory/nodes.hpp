// Who reads from where: the NUMA nodes of the team's threads, and the memory nodes.
#pragma once

#include <string>
#include <vector>

#include "measure/topology.hpp"

namespace memory {

struct Nodes {
  std::vector<int> near;                  // NUMA nodes with threads, by number
  std::vector<std::vector<int>> threads;  // of each of them
  std::vector<int> memory;                // nodes that hold memory; empty where the system tells of none
  std::vector<std::string> near_names, memory_names;
};

// `cpus`: the processor of each thread. One that the system does not describe belongs to the first node.
Nodes nodes_of(const tenken::Topology& topology, const std::vector<int>& cpus);

}  // namespace memory
