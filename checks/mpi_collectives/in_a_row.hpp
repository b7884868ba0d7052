// Barriers, and sums of one size over all ranks, one call after the other: what a solver waits for in each iteration.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

#include "base/buffer.hpp"

namespace mpi_collectives {

// `n` barriers, one after the other.
inline void barriers_in_a_row(MPI_Comm comm, int n) {
  for (int i = 0; i < n; ++i) MPI_Barrier(comm);
}

class RowOfSums {
 public:
  RowOfSums(MPI_Comm comm, std::size_t bytes);

  // Writes the summands of `calls` calls, each in lines of its own.
  // `sample` makes them differ from those of any other sample.
  void prepare(std::uint64_t sample, int calls);

  // The timed part.
  void run();

  // Elements of all results that are not the exact sum.
  std::int64_t wrong() const;

 private:
  std::uint64_t call(int i) const { return sample_ << 16 | static_cast<std::uint64_t>(i); }

  MPI_Comm comm_;
  int rank_ = 0;
  int ranks_ = 1;
  std::size_t n_;
  std::size_t stride_;
  std::uint64_t sample_ = 0;
  int calls_ = 0;
  tenken::Buffer<double> given_;
  tenken::Buffer<double> sum_;
};

}  // namespace mpi_collectives
