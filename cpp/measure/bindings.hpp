// Which processors each rank of a node gets for its threads, and which memory nodes its pages may come from. Pure: the
// same topology and wish give the same lists, so that captured trees test it.
#pragma once

#include <string>
#include <vector>

#include "measure/topology.hpp"

namespace tenken {

// What was asked for, as it is written in a case.
struct Wish {
  std::string placement = "compact";  // compact | scatter | one_socket | skip_first | none
  int reserve = 0;                    // cores of the node left free: the last ones in compact order
  std::string membind;                // "" | local | NODE | KIND (main, fast, slow)
};

// The processors of each rank of a node, one for each thread; empty where nothing is to be bound: for `none`, and for a
// plain `compact` with more ranks x threads than there are processors.
//   compact     socket by socket, NUMA node by NUMA node, a core a thread; second hardware threads come last
//   scatter     the ranks dealt in turn to the sockets and their NUMA nodes, the threads of each close together; a
//   single
//               rank deals its threads
//   one_socket  compact, on the first of the sockets with most cores
//   skip_first  compact, without the first core of the node
// But for plain `compact` a thread has a core to itself. What cannot be had throws UserError (refused).
std::vector<std::vector<int>> bind_ranks(const Topology& topology, int ranks, int threads, const Wish& wish);

// The memory nodes of a thread on a processor of NUMA node `numa`: none for "", its own for `local`, the nearest of a
// KIND. Throws UserError (refused) where the node does not have it.
std::vector<int> memory_nodes(const Topology& topology, int numa, const std::string& membind);

}  // namespace tenken
