// The processors that a process may use and the memory of its node, as /sys tells them: what placement needs to know.
#pragma once

#include <string_view>
#include <vector>

#include "base/tree.hpp"

namespace tenken {

struct Processor {
  int cpu = 0;
  int socket = 0;  // physical package
  int core = 0;    // of the node: number of its first hardware thread
  int thread = 0;  // among the usable hardware threads of its core: 0, 1, ...
  int numa = 0;
};

// What the system says of a memory node. Relative on purpose: on some machines HBM is all there is, on others it stands
// beside DRAM as `fast`; memory behind CXL is `slow`.
enum class MemoryKind { main, fast, slow, unknown };
std::string_view memory_kind_name(MemoryKind kind);

struct MemoryNode {
  int node = 0;
  MemoryKind kind = MemoryKind::main;
  std::vector<int> distances;  // to every node of `Topology::memory`, in its order; empty where not told
};

struct Topology {
  std::vector<Processor> processors;  // usable ones, by cpu number
  std::vector<MemoryNode> memory;     // nodes that hold memory, by number; empty where the system tells of none

  std::vector<int> sockets() const;                              // numbers of the sockets with a usable processor
  std::vector<int> numa_of(const std::vector<int>& cpus) const;  // NUMA nodes of these processors, each once
};

// `usable` are the processors that the process may run on; those that /sys does not describe are cores of their own.
// A memory node with processors is `main`. One without is `fast` or `slow` by the kernel's memory tier, else by its
// read bandwidth (HMAT), compared with that of the main ones; where neither is told it is `unknown`.
Topology read_topology(const Tree& tree, const std::vector<int>& usable);

}  // namespace tenken
