// Round trips of one message size between this rank and its partner.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

#include "base/buffer.hpp"

namespace mpi_pingpong {

class Exchange {
 public:
  Exchange(MPI_Comm comm, int partner, std::size_t size);

  bool starts() const { return starts_; }  // the lower rank sends first, the other sends back what came

  // Writes `round_trips` messages, each in lines of its own: nothing is sent twice, nothing is read from an old copy.
  // `sample` makes their contents differ from those of any other sample.
  void prepare(std::uint64_t sample, int round_trips);

  // Both partners have arrived and have their buffers ready.
  void meet();

  // The timed part.
  void run();

  // Bytes that did not come back as they were sent.
  std::int64_t wrong() const;

 private:
  std::uint64_t message(int round_trip) const { return sample_ << 16 | static_cast<std::uint64_t>(round_trip); }

  MPI_Comm comm_;
  int partner_;
  bool starts_;
  std::size_t size_;
  std::size_t stride_;
  std::uint64_t sample_ = 0;
  int round_trips_ = 0;
  tenken::Buffer<std::byte> sent_;
  tenken::Buffer<std::byte> received_;
};

}  // namespace mpi_pingpong
