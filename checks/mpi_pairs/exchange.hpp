// Round trips with a partner that changes from round to round.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

#include "base/buffer.hpp"

namespace mpi_pairs {

class Exchange {
 public:
  Exchange(MPI_Comm comm, std::size_t size, int round_trips);

  int round_trips() const { return round_trips_; }

  // Writes all messages anew; `sample` makes their contents differ from those of any other.
  void prepare(std::uint64_t sample);

  // Both have arrived and have their buffers ready.
  void meet(int partner) const;

  // The timed part: the lower rank sends first, the other sends back what came; `passes` times
  // through all messages.
  void run(int partner, int passes);

  // Bytes that did not come back to the lower rank as they were sent.
  std::int64_t wrong(int partner) const;

 private:
  MPI_Comm comm_;
  int rank_ = 0;
  std::size_t size_;
  std::size_t stride_;
  int round_trips_;
  tenken::Buffer<std::byte> sent_;
  tenken::Buffer<std::byte> received_;
};

}  // namespace mpi_pairs
