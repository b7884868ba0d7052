// Which processors the threads of each rank use. Tenken binds by itself, so that every MPI and launcher places alike.
#pragma once

#include <mpi.h>
#include <sys/types.h>

#include <string>
#include <vector>

namespace tenken {

struct Placement {
  std::string host;
  std::vector<int> cpus;     // processor of each thread where bound, else all that the rank may use
  std::vector<int> numa;     // NUMA nodes of those processors
  std::vector<pid_t> tasks;  // kernel task of each OpenMP thread
  int node_ranks = 1;
  bool bound = false;
  bool oversubscribed = false;  // more ranks x threads on the node than processors
};

// Collective. Where the launcher gave the ranks of a node different processors, each stays inside its own; else the
// node's processors are shared out in order, one core a thread, second hardware threads only when the cores are used
// up. Oversubscribed or with bind = false nothing is bound.
Placement place(MPI_Comm comm, int threads, bool bind);

// Processor of each OpenMP thread at this moment.
std::vector<int> processors_now(int threads);

}  // namespace tenken
