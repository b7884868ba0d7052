// How far apart the cores of a pair are: the round trip of one cache line through shared memory, without MPI. On
// virtual machines it flips between two values within the hour; results may be compared only where it was the same.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace mpi_pt2pt {

class CoreRoundTrip {
 public:
  // Collective over the two ranks of `comm`, which are pairs of ranks; shares a window where they are on one node.
  CoreRoundTrip(MPI_Comm comm, int partner);
  ~CoreRoundTrip();
  CoreRoundTrip(const CoreRoundTrip&) = delete;
  CoreRoundTrip& operator=(const CoreRoundTrip&) = delete;

  bool shared() const { return window_ != MPI_WIN_NULL; }  // the partner is on the same node

  // Median over batches, in ns; the same on both ranks. Both spin: only where each has a core of its own.
  double nanoseconds();

 private:
  MPI_Comm pair_ = MPI_COMM_NULL;
  MPI_Win window_ = MPI_WIN_NULL;
  std::uint64_t* lines_ = nullptr;  // two cache lines, in the memory of the lower rank
  bool starts_ = false;
  std::uint64_t turn_ = 0;
};

}  // namespace mpi_pt2pt
