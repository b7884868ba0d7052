// What of the caches of its node a rank may count on.
#pragma once

#include <mpi.h>

#include <vector>

#include "base/caches.hpp"

namespace tenken {

// For a rank with `threads` threads on `cpus`. Collective.
CacheShare cache_share_of_rank(MPI_Comm comm, int threads, const std::vector<int>& cpus, const Tree& tree = Tree("/"));

}  // namespace tenken
