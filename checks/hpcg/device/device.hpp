// Runs the kernels of this check: on a card or, in tests, in loops on the host. No runtime of a card is named here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "device/bodies.hpp"
#include "gpu/facts.hpp"
#include "gpu/form_of.hpp"
#include "gpu/runs.hpp"
#include "gpu/section_cost.hpp"

namespace tenken::hpcg::device {

// Every kernel of the check but sums.
template <template <class...> class List>
using WithKernels =
    List<ForwardFromZero, BackwardFromZero, Forward, Backward, Multiply, Restrict, Prolong, Pack, Direction, Update>;

// Kernels, copies and marks come one after the other, in the order of their calls. Only read, write, sums, ns and
// finish wait. Errors are UserErrors with the sentence of the card.
class Device : public WithKernels<gpu::RunsAll> {
 public:
  virtual ~Device() = default;
  virtual gpu::Facts facts() const = 0;
  virtual gpu::SectionCost section_cost() = 0;  // between two marks, measured by this call; waits

  virtual void* allocate(std::size_t bytes, const char* purpose) = 0;  // UserError where there is not enough memory
  virtual void release(void* memory) noexcept = 0;
  virtual void* allocate_pinned(std::size_t bytes, const char* purpose) = 0;  // of the host, for fast copies
  virtual void release_pinned(void* memory) noexcept = 0;
  virtual void write(void* to, const void* from, std::size_t bytes) = 0;  // from the host; returns when copied
  virtual void read(void* to, const void* from, std::size_t bytes) = 0;   // to the host; returns when copied
  virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
  virtual void clear(void* memory, std::size_t bytes) = 0;
  virtual void finish() = 0;  // returns when all that was called has ended

  // Queues a sum; `sums` adds up those that were queued since its last call, in their order.
  virtual void queue(const Products& products) = 0;
  virtual double sums() = 0;

  // Time stamps in the queue, by numbers from 0 on; `forget_marks` begins at 0 again.
  virtual int mark() = 0;
  virtual double ns(int from, int to) = 0;
  virtual void forget_marks() = 0;
};

// Memory of a card for `size` elements, or pinned memory of the host; zeros. The device stays with the caller.
template <class T, bool pinned = false>
class Memory {
 public:
  Memory() = default;
  Memory(Device& device, std::size_t size, const char* purpose) : device_(&device), size_(size) {
    data_ = static_cast<T*>(pinned ? device.allocate_pinned(bytes(), purpose) : device.allocate(bytes(), purpose));
    if (!pinned) device.clear(data_, bytes());
  }
  Memory(Memory&& other) noexcept { *this = std::move(other); }
  Memory& operator=(Memory&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Memory() {
    if (data_ == nullptr) return;
    pinned ? device_->release_pinned(data_) : device_->release(data_);
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

 private:
  Device* device_ = nullptr;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

// Both forms of kernel.cu: on a card, linked where the variant `cuda` is built, and in loops on the host, linked in
// tests. `cards`: all that this process may use.
namespace on_card {
std::vector<gpu::Facts> cards();
std::unique_ptr<Device> make_device(int card);
}  // namespace on_card
namespace on_host {
std::vector<gpu::Facts> cards();
std::unique_ptr<Device> make_device(int card);
}  // namespace on_host

using Form = gpu::FormOf<Device>;

}  // namespace tenken::hpcg::device
