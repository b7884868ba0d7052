// Chains of multiply-adds on all multiprocessors of a card. No runtime of a card is named here.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/facts.hpp"
#include "gpu/form_of.hpp"
#include "gpu/section_cost.hpp"
#include "kernel.hpp"

namespace fma_peak::device {

inline constexpr int chains = 8;    // of a thread, independent of each other
inline constexpr int unrolled = 4;  // steps of every chain in a loop

struct Pass {
  double ns;     // of the card, by events
  double error;  // greatest |x - 1| over all chains of all threads
  double hz;     // clock of the multiprocessors in this pass: median over the blocks
};

// Errors are UserErrors with the sentence of the card.
class Device {
 public:
  virtual ~Device() = default;
  virtual tenken::gpu::Facts facts() const = 0;
  virtual tenken::gpu::SectionCost section_cost() = 0;  // measured by this call; waits

  virtual std::int64_t flop_per_loop() const = 0;  // of the whole card, in either precision
  virtual Pass run(Precision precision, std::int64_t loops) = 0;
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

}  // namespace fma_peak::device
