// The cube of each rank, in memory that the ranks of a node share, and the numbers by which they wait for each other.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>

#include "parallel/shared_memory.hpp"
#include "plane.hpp"

namespace halo_paths {

class Cubes {
 public:
  // Collective over `comm`. Throws UserError (impossible) on every rank where the memory cannot be shared.
  Cubes(MPI_Comm comm, std::int64_t n);

  std::int64_t n() const { return n_; }
  MPI_Comm comm() const { return comm_; }
  double* mine() { return reinterpret_cast<double*>(memory_.mine()); }
  // The cube of another rank; null where the rank is on another node.
  const double* of(int rank) const { return reinterpret_cast<const double*>(memory_.of(rank)); }

  // The sample whose source planes of a face a rank of this node has ready.
  std::atomic_ref<std::int64_t> ready(int rank, Face face) const;

 private:
  MPI_Comm comm_;
  std::int64_t n_;
  tenken::SharedMemory memory_;
};

}  // namespace halo_paths
