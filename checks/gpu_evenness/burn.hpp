// What this check does with cards: the same multiply-adds on all of them. No runtime of a device is named here. C++17,
// because kernel.cu includes it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/facts.hpp"

namespace tenken::gpu_evenness {

constexpr int threads = 256;  // of a block
constexpr int blocks_a_multiprocessor = 8;

// Cards in the order in which they were added. Errors are UserErrors.
class Cards {
 public:
  virtual ~Cards() = default;
  virtual void add(int card) = 0;

  // Queues kernels in which each thread does `rounds` multiply-adds in each chain (chain.hpp).
  virtual void start(int card, std::int64_t rounds, int kernels) = 0;
  // Waits. The length of what was started last by the events of the card, ns.
  virtual double ns(int card) = 0;
  // Threads whose last result has other bits than `expected`.
  virtual std::int64_t unlike(int card, double expected) = 0;
  virtual std::int64_t flop(int card, std::int64_t rounds) const = 0;  // of one kernel
};

// The functions of one form of kernel.cu: on cards, and in tests on the host.
struct Form {
  std::vector<gpu::Facts> (*cards)();
  std::unique_ptr<Cards> (*make)();
};

namespace on_card {
std::vector<gpu::Facts> cards();
std::unique_ptr<Cards> make();
}  // namespace on_card
namespace on_host {
std::vector<gpu::Facts> cards();
std::unique_ptr<Cards> make();
}  // namespace on_host

}  // namespace tenken::gpu_evenness
