// Messages in the memory of a card: written and compared by kernels. No runtime of a card is named here.
// C++17, because kernel.cu includes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/facts.hpp"
#include "gpu/form_of.hpp"
#include "gpu/message_card.hpp"

namespace mpi_pt2pt::device {

// `count` messages of `bytes` each. Message i begins at i x `stride` bytes, a multiple of 8, and has number `first` + i
// (payload.hpp).
struct Batch {
  std::int64_t bytes = 0;
  std::int64_t stride = 0;
  std::int64_t count = 0;
  std::uint64_t first = 0;
};

struct Wrong {
  std::int64_t bytes = 0;
  std::int64_t message = -1, word = -1;  // of the first that is wrong: which message of the batch, which 8 bytes of it
};

class Device : public tenken::gpu::MessageCard {
 public:
  // These wait until they are done.
  virtual void write(std::byte* to, const Batch& batch) = 0;
  virtual Wrong wrong(const std::byte* in, const Batch& batch) = 0;
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

}  // namespace mpi_pt2pt::device
