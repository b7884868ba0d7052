// What a node is called: a node is ranks that share memory, whatever its host is called.
#pragma once

#include <mpi.h>

#include <string>

namespace tenken {

// Collective over `world`; `node` holds this rank and those that share memory with it, in the order of `world`. The
// name of the host, and from the second node on that has the same one (containers on one host, nodes of one image) #2,
// #3, ... behind it, in the order of their first ranks.
std::string node_name(MPI_Comm world, MPI_Comm node, const std::string& host);

}  // namespace tenken
