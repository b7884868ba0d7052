// Which processors the threads of each rank use. Tenken binds by itself, so that every MPI and launcher places alike.
#pragma once

#include <mpi.h>
#include <sys/types.h>

#include <string>
#include <vector>

#include "measure/bindings.hpp"

namespace tenken {

struct Placement {
  std::string host;          // name of the node (node_name.hpp)
  int place = 0;             // rank of the launcher, before rank_map
  std::vector<int> cpus;     // processor of each thread where bound, else all that the rank may use
  std::vector<int> numa;     // NUMA nodes of those processors
  std::vector<pid_t> tasks;  // kernel task of each OpenMP thread
  int node_ranks = 1;
  bool bound = false;
  bool oversubscribed = false;  // more ranks x threads on the node than processors
};

// Collective over all ranks in the launcher's order. Where the launcher gave the ranks of a node different processors,
// each stays inside its own and only compact and none can be had; else the node's processors are shared out
// (bind_ranks). Pages that a thread touches first from now on come from the memory that was wished for.
Placement place(MPI_Comm world, int threads, const Wish& wish, const Tree& tree = Tree("/"));

// The memory nodes that each thread takes its pages from; empty ones where nothing is wished for. Throws UserError
// (refused) where the wish needs bound threads or memory that is not there.
std::vector<std::vector<int>> memory_of_threads(const Topology& topology, const Placement& placement, int threads,
                                                const Wish& wish);

// Processor of each OpenMP thread at this moment.
std::vector<int> processors_now(int threads);

}  // namespace tenken
