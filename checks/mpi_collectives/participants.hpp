// Which ranks do an operation together.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "base/error.hpp"

namespace mpi_collectives {

// The ranks of all, of each node by itself (all nodes at once), or the first rank of each node; null on ranks that take
// no part.
class Participants {
 public:
  // Collective over `all`. among: "all", "node" or "nodes".
  Participants(MPI_Comm all, const std::string& among) {
    int rank = 0;
    MPI_Comm_rank(all, &rank);
    MPI_Comm node;
    MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    int in_node = 0;
    MPI_Comm_rank(node, &in_node);
    int first = in_node == 0 ? 1 : 0;
    MPI_Allreduce(&first, &nodes_, 1, MPI_INT, MPI_SUM, all);
    const bool part = among != "nodes" || first != 0;
    if (among == "node") {
      comm_ = node;
    } else {
      MPI_Comm_free(&node);
      MPI_Comm_split(all, part ? 0 : MPI_UNDEFINED, rank, &comm_);
    }
    if (among == "nodes" && nodes_ < 2) {
      free();
      tenken::lacking("all ranks are on one node, and --among nodes needs two at least; start it with --nodes 2");
    }
    if (comm_ == MPI_COMM_NULL) return;
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
    ranks_.resize(static_cast<std::size_t>(size_));
    MPI_Allgather(&rank, 1, MPI_INT, ranks_.data(), 1, MPI_INT, comm_);
  }
  ~Participants() { free(); }
  Participants(const Participants&) = delete;
  Participants& operator=(const Participants&) = delete;

  MPI_Comm comm() const { return comm_; }
  bool takes_part() const { return comm_ != MPI_COMM_NULL; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  int nodes() const { return nodes_; }                      // of all ranks
  const std::vector<int>& ranks() const { return ranks_; }  // their numbers among all

 private:
  void free() {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 0;
  int nodes_ = 1;
  std::vector<int> ranks_;
};

}  // namespace mpi_collectives
