// One collective operation of one size: what is sent is written before each call and looked at after it.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "base/work.hpp"

namespace mpi_collectives {

enum class Kind { barrier, bcast, allreduce, reduce, allgatherv, alltoall, neighbour };
constexpr std::array<std::string_view, 7> kind_names = {"barrier",    "bcast",    "allreduce", "reduce",
                                                        "allgatherv", "alltoall", "neighbour"};

constexpr std::size_t bytes_of_word = 4;

class Operation {
 public:
  virtual ~Operation() = default;

  // Writes what this rank gives; `sample` makes it differ from that of any other.
  virtual void prepare(std::uint64_t sample) = 0;
  // The timed part: one call.
  virtual void run() = 0;
  // Bytes of the result on this rank that are wrong; where it is known whose they are, they are added to `by_source`
  // (one entry a rank of the communicator).
  virtual std::int64_t wrong(std::span<std::int64_t> by_source) const = 0;
  // A fault: one byte of what this rank has, of what it gives where it gives something, is made another one.
  virtual void spoil() = 0;
  // What a rank hands to MPI and gets back in one call (README.md).
  virtual tenken::Work work() const = 0;
};

// Words of a piece of an alltoall: each rank hands over about `bytes` in all, but at least one word to each.
std::size_t piece_of_all(std::int64_t bytes, int ranks);

// `bytes` (of each operation: README.md) in whole words; collective for a neighbour exchange.
std::unique_ptr<Operation> make_operation(Kind kind, MPI_Comm comm, std::int64_t bytes);

// What the buffers of an operation take on a rank.
double memory_of(Kind kind, int ranks, std::int64_t bytes);

}  // namespace mpi_collectives
