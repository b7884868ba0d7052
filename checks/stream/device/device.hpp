// The arrays of STREAM in the memory of a card, and the sweeps over them. No runtime of a card is named here.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/facts.hpp"
#include "gpu/form_of.hpp"
#include "gpu/section_cost.hpp"

namespace stream::device {

enum class Array { a, b, c, copied };
inline constexpr int arrays = 4;

// Times of copy, scale, add, triad, read, and of the copy of the driver from c to `copied`, in this order.
inline constexpr int sweeps = 6;
using Times = std::array<double, sweeps>;  // ns

// Errors are UserErrors with the sentence of the card.
class Device {
 public:
  virtual ~Device() = default;
  virtual tenken::gpu::Facts facts() const = 0;
  virtual tenken::gpu::SectionCost section_cost() = 0;  // measured by this call; waits

  virtual void allocate(std::int64_t n) = 0;  // n elements an array, not initialised
  // Elements from `begin` on, from or to the host; return when copied.
  virtual void write(Array to, std::int64_t begin, std::int64_t n, const double* values) = 0;
  virtual void read(double* values, Array from, std::int64_t begin, std::int64_t n) const = 0;

  // Every sweep once over the first n elements. Returns when all are done.
  virtual Times sweep(std::int64_t n) = 0;
  virtual double sum() const = 0;  // of a, as read last
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

}  // namespace stream::device
