// The kernels of this check on all multiprocessors of a card. No runtime of a card is named here.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/facts.hpp"
#include "gpu/form_of.hpp"
#include "gpu/section_cost.hpp"

namespace same_answer::device {

// The threads of a block have different inputs. All blocks have the same inputs.
inline constexpr int threads = 256;
inline constexpr int blocks_of_multiprocessor = 8;

inline constexpr int fma_chains = 4;
inline constexpr int fma_steps = 2000;
inline constexpr double fma_growth = 3.9;  // x becomes growth x (1 - x): a wrong bit is never forgotten
inline constexpr int integer_steps = 1000;

// What the blocks of one pass of a kernel answered.
struct Answers {
  double ns = 0;                             // of the card, by events
  std::vector<std::int32_t> multiprocessor;  // that each block ran on
  std::vector<std::uint64_t> words;          // of each thread of each block
};

// Errors are UserErrors with the sentence of the card.
class Device {
 public:
  virtual ~Device() = default;
  virtual tenken::gpu::Facts facts() const = 0;
  virtual tenken::gpu::SectionCost section_cost() = 0;  // measured by this call; waits

  // `words`: of the march of each thread. `a` and `b`: the factors of the matrix product.
  virtual void allocate(std::int64_t words, const std::vector<double>& a, const std::vector<double>& b) = 0;
  virtual std::int64_t blocks() const = 0;
  virtual Answers run(std::size_t kernel) = 0;  // an index into kernel_names
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

}  // namespace same_answer::device
