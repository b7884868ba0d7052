// The cube of each rank, in memory that the ranks of a node share, and the numbers by which they wait for each other.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "plane.hpp"

namespace halo_paths {

class Cubes {
 public:
  // Collective over `comm`. Throws UserError (impossible) on every rank where the memory cannot be shared.
  Cubes(MPI_Comm comm, std::int64_t n);
  ~Cubes();
  Cubes(const Cubes&) = delete;
  Cubes& operator=(const Cubes&) = delete;

  std::int64_t n() const { return n_; }
  MPI_Comm comm() const { return comm_; }
  double* mine() { return cube_; }
  // The cube of another rank; null where the rank is on another node.
  const double* of(int rank) const { return cubes_[static_cast<std::size_t>(rank)]; }
  bool shared() const { return shared_; }  // all ranks are on one node

  // The sample whose source planes of a face a rank of this node has ready.
  std::atomic_ref<std::int64_t> ready(int rank, Face face) const;

 private:
  MPI_Comm comm_;
  std::int64_t n_;
  MPI_Comm node_ = MPI_COMM_NULL;
  MPI_Win window_ = MPI_WIN_NULL;
  double* cube_ = nullptr;
  std::vector<const double*> cubes_;
  std::vector<std::int64_t*> numbers_;  // of each rank of this node: a cache line for each face
  bool shared_ = false;
};

}  // namespace halo_paths
