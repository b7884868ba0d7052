// Sums and exchanges of pieces in the memory of cards.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "device/device.hpp"
#include "operation.hpp"

namespace mpi_collectives {

// Who does an operation whose operands are at these addresses. The operands are there before, and the results after
// the call.
class Carrier {
 public:
  virtual ~Carrier() = default;
  virtual void allreduce(const std::byte* given, std::byte* sums, std::int64_t n, bool doubles) = 0;
  virtual void alltoall(const std::byte* given, std::byte* got, std::int64_t words_of_piece) = 0;
};

std::unique_ptr<Carrier> carried_by_mpi(MPI_Comm comm);

// The first wrong word or number of this rank.
struct WrongPlace {
  std::int64_t size = 0;  // of the operation, bytes; 0: nothing was wrong
  std::int64_t word = 0;
};

// What operations on one card share. `staged`: operands are copied to pinned memory of the host, and results back, both
// inside of the call.
struct OnCard {
  device::Device& card;
  Carrier* carrier;  // null on ranks that take no part
  bool staged = false;
  WrongPlace& place;
};

// Kind::allreduce or Kind::alltoall, of about `bytes` as in make_operation.
std::unique_ptr<Operation> make_card_operation(Kind kind, MPI_Comm comm, std::int64_t bytes, const OnCard& on);

}  // namespace mpi_collectives
