// Operands of collective operations in the memory of a card, written and compared by kernels. No runtime of a card is
// named here. C++17, because kernel.cu includes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/facts.hpp"
#include "gpu/form_of.hpp"
#include "gpu/message_card.hpp"

namespace mpi_collectives::device {

// `words` of 4 bytes for or from each of `ranks`, one after the other (payload.hpp).
struct Pieces {
  std::int64_t words = 0;
  int ranks = 1;
  int rank = 0;
  std::uint64_t sample = 0;
};

// `n` numbers that all ranks add up: doubles, or whole numbers of 4 bytes (summands.hpp).
struct Summands {
  std::int64_t n = 0;
  bool doubles = true;
  int ranks = 1;
  int rank = 0;
  std::uint64_t sample = 0;
};

struct Wrong {
  std::int64_t bytes = 0;
  std::int64_t first = -1;  // of the wrong words or numbers
};

// All calls wait until they are done.
class Device : public tenken::gpu::MessageCard {
 public:
  virtual void write(std::byte* to, const Pieces& pieces) = 0;         // from this rank to each
  virtual Wrong wrong(const std::byte* in, const Pieces& pieces) = 0;  // from each to this rank
  // The same of the piece from `source` alone; `first` counts from the begin of all pieces.
  virtual Wrong wrong_of(const std::byte* in, const Pieces& pieces, int source) = 0;
  virtual void write(std::byte* to, const Summands& numbers) = 0;
  virtual Wrong wrong(const std::byte* sums, const Summands& numbers) = 0;
};

// Both forms of kernel.cu: on a card, linked where the variant `cuda` is built, and in loops on the host, linked in
// tests. `cards`: all that this process may use.
namespace on_card {
std::vector<tenken::gpu::Facts> cards();
std::unique_ptr<Device> make_device(int card);
}  // namespace on_card
namespace on_host {
std::vector<tenken::gpu::Facts> cards();
std::unique_ptr<Device> make_device(int card);
}  // namespace on_host

using Form = tenken::gpu::FormOf<Device>;

}  // namespace mpi_collectives::device
