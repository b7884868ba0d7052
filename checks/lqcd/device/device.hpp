// Runs the kernels of this check: on a device or, in tests, in loops on the host. No runtime of a device is named here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "device/hop.hpp"
#include "device/vectors.hpp"
#include "gpu/facts.hpp"
#include "gpu/form_of.hpp"
#include "gpu/runs.hpp"
#include "gpu/section_cost.hpp"

namespace tenken::lqcd::device {

// Every kernel of the check that is called by site or by pack.
template <template <class...> class List>
using WithKernels = List<Hop<float, 3>, Hop<float, 2>, Hop<double, 3>, Hop<double, 2>, PackFaces<float, 3>,
                         PackFaces<float, 2>, PackFaces<double, 3>, PackFaces<double, 2>, Axpy<float>, Axpy<double>,
                         Xpay<float>, Xpay<double>, Convert<double, float>, Convert<float, double>>;

// Kernels, copies and marks come one after the other, in the order of their calls. Only read, sums, ns and finish wait.
// Errors are UserErrors with the sentence of the device.
class Device : public WithKernels<gpu::RunsAll> {
 public:
  virtual ~Device() = default;
  virtual std::string name() const = 0;

  virtual void* allocate(std::size_t bytes, const char* purpose) = 0;  // UserError where there is not enough memory
  virtual void release(void* memory) noexcept = 0;
  virtual void write(void* to, const void* from, std::size_t bytes) = 0;  // from the host; returns when copied
  virtual void read(void* to, const void* from, std::size_t bytes) = 0;   // to the host; returns when copied
  virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
  virtual void clear(void* memory, std::size_t bytes) = 0;
  virtual void finish() = 0;  // returns when all that was called has ended

  // Queues two scalar products; `sums` returns those queued last.
  virtual void sum(const Products<float>& products) = 0;
  virtual void sum(const Products<double>& products) = 0;
  virtual Sums sums() = 0;

  // Time stamps in the queue, by numbers from 0 on; `forget_marks` begins at 0 again.
  virtual int mark() = 0;
  virtual double ns(int from, int to) = 0;
  virtual void forget_marks() = 0;

  // The cost of a section between two marks, measured by this call; waits.
  virtual gpu::SectionCost section_cost() = 0;
};

// Memory of a device for `size` elements, not initialised. The device stays with the caller.
template <class T>
class Memory {
 public:
  Memory() = default;
  Memory(Device& device, std::size_t size, const char* purpose)
      : device_(&device), data_(static_cast<T*>(device.allocate(size * sizeof(T), purpose))), size_(size) {}
  Memory(Memory&& other) noexcept { *this = std::move(other); }
  Memory& operator=(Memory&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Memory() {
    if (data_ != nullptr) device_->release(data_);
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

// Both forms of kernel.cu: on a CUDA device, linked where the variant `cuda` is built, and in loops on the host, linked
// in tests. `cards`: all that this process may use. `make_device`: the first of several calls chooses the card.
namespace on_card {
std::vector<gpu::Facts> cards();
std::unique_ptr<Device> make_device(int card);
}  // namespace on_card
namespace on_host {
std::vector<gpu::Facts> cards();
std::unique_ptr<Device> make_device(int card);
}  // namespace on_host

using Form = gpu::FormOf<Device>;

}  // namespace tenken::lqcd::device
