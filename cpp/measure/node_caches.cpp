#include "measure/node_caches.hpp"

#include <numeric>

namespace tenken {

namespace {

// The processors of every rank of this node.
std::vector<std::vector<int>> processors_of_node(MPI_Comm comm, const std::vector<int>& own) {
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int ranks = 0;
  MPI_Comm_size(node, &ranks);
  const auto count = static_cast<int>(own.size());
  std::vector<int> counts(static_cast<std::size_t>(ranks));
  MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, node);
  std::vector<int> offsets(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), offsets.begin(), 0);
  std::vector<int> joined(static_cast<std::size_t>(offsets.back() + counts.back()));
  MPI_Allgatherv(own.data(), count, MPI_INT, joined.data(), counts.data(), offsets.data(), MPI_INT, node);
  MPI_Comm_free(&node);
  std::vector<std::vector<int>> all;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    all.emplace_back(joined.begin() + offsets[i], joined.begin() + offsets[i] + counts[i]);
  }
  return all;
}

}  // namespace

CacheShare cache_share_of_rank(MPI_Comm comm, int threads, const std::vector<int>& cpus, const Tree& tree) {
  return cache_share(read_caches(tree, cpus), threads, cpus, processors_of_node(comm, cpus));
}

}  // namespace tenken
