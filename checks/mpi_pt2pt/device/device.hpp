// Messages in the memory of a card: written and compared by kernels, and copied. No runtime of a card is named here.
// C++17, because kernel.cu includes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "gpu/facts.hpp"
#include "gpu/form_of.hpp"
#include "gpu/section_cost.hpp"

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

// Freed with the object.
using Memory = std::unique_ptr<std::byte, std::function<void(std::byte*)>>;

// A card of this process. Errors are UserErrors with the sentence of the card.
class Device {
 public:
  virtual ~Device() = default;
  virtual tenken::gpu::Facts facts() const = 0;
  virtual tenken::gpu::SectionCost section_cost() = 0;  // measured by this call; waits
  virtual int number() const = 0;
  virtual bool memory_of_host() const = 0;  // its memory has addresses of the host: loops in place of kernels

  // Of a process with several cards: the calls down to `flip` mean this card.
  virtual void select() = 0;
  virtual Memory on_card(std::size_t bytes) = 0;
  virtual Memory pinned(std::size_t bytes) = 0;  // memory of the host that cards copy by themselves
  // These wait until they are done.
  virtual void write(std::byte* to, const Batch& batch) = 0;
  virtual Wrong wrong(const std::byte* in, const Batch& batch) = 0;
  virtual void flip(std::byte* where) = 0;  // the lowest bit of a byte

  // Copies between card and host, queued; the queues of both directions are waited for apart.
  virtual void copy_out(std::byte* host, const std::byte* card, std::size_t bytes) = 0;
  virtual void copy_in(std::byte* card, const std::byte* host, std::size_t bytes) = 0;
  virtual void wait_out() = 0;
  virtual void wait_in() = 0;

  // Lets this card and `other` copy from each other without the host, where they can; whether they can.
  virtual bool connect(Device& other) = 0;
  // Queued in the queue of copy_out, from this card to `other`.
  virtual void copy_to(Device& other, std::byte* to, const std::byte* from, std::size_t bytes) = 0;
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
