// Reductions over all threads of a grid in a fixed order. For the same number of blocks the result has the same bits
// every time. Card and host give the same bits where the values of their threads have the same bits.
//
// The kernel computes the value of a thread and combines two values:
//
//   struct Dot {
//     static constexpr int threads = 256;  // a power of two
//     using Value = double;
//     const double *x, *y; std::int64_t n;
//     TENKEN_DEVICE double operator()(At at) const { double s = 0; for (...) s += x[i] * y[i]; return s; }
//     TENKEN_DEVICE static double combine(double a, double b) { return a + b; }
//   };
//   Reduction<double> sum(most_blocks);
//   double s = sum(blocks, Dot{x, y, n});     // waits for the result
//   sum.later(blocks, Dot{x, y, n});          // queues only; the result is *sum.result() on the card
//
// Order: a block combines thread t with t + threads/2, then t + threads/4, ... (a tree in shared memory). A second
// launch of one block gives the results of blocks b, b + threads, ... to thread b in turn, then the same tree.
#pragma once

#include <cstdint>

#include "gpu/buffers.hpp"
#include "gpu/launch.hpp"

namespace tenken::gpu {
inline namespace TENKEN_GPU_FORM {

namespace detail {

constexpr int log2_of(int n) { return n <= 1 ? 0 : 1 + log2_of(n / 2); }

// Phase 0: the value of each thread. Phase p: the threads below threads >> p combine theirs with the upper half.
template <class Kernel>
struct InBlocks {
  using Value = typename Kernel::Value;
  static constexpr int threads = Kernel::threads;
  static constexpr int phases = 1 + log2_of(threads);
  static_assert((threads & (threads - 1)) == 0, "a block is a power of two");
  struct Shared {
    Value of[threads];
  };
  struct Own {};

  Kernel kernel;
  Value* out;  // of each block

  TENKEN_DEVICE void operator()(Phase<0>, At at, Shared& block, Own&) const {
    block.of[at.thread] = kernel(at);
    if (threads == 1) out[at.block] = block.of[0];
  }

  template <int phase>
  TENKEN_DEVICE void operator()(Phase<phase>, At at, Shared& block, Own&) const {
    constexpr int half = threads >> phase;
    if (at.thread < half) block.of[at.thread] = Kernel::combine(block.of[at.thread], block.of[at.thread + half]);
    if (half == 1 && at.thread == 0) out[at.block] = block.of[0];
  }
};

// Combines the results of blocks in their order. With fewer blocks than threads, the threads without a block have no
// value, and no step of the tree reads them.
template <class Kernel>
struct OverBlocks {
  using Value = typename Kernel::Value;
  static constexpr int threads = Kernel::threads;
  static constexpr int phases = 1 + log2_of(threads);
  struct Shared {
    Value of[threads];
  };
  struct Own {};

  const Value* in;
  int n;
  Value* out;

  TENKEN_DEVICE void operator()(Phase<0>, At at, Shared& block, Own&) const {
    if (at.thread < n) {
      Value mine = in[at.thread];
      for (int i = at.thread + threads; i < n; i += threads) mine = Kernel::combine(mine, in[i]);
      block.of[at.thread] = mine;
    }
    if (threads == 1) *out = block.of[0];
  }

  template <int phase>
  TENKEN_DEVICE void operator()(Phase<phase>, At at, Shared& block, Own&) const {
    constexpr int half = threads >> phase;
    if (at.thread < half && at.thread + half < n)
      block.of[at.thread] = Kernel::combine(block.of[at.thread], block.of[at.thread + half]);
    if (half == 1 && at.thread == 0) *out = block.of[0];
  }
};

}  // namespace detail

template <class Value>
class Reduction {
 public:
  // For launches of at most `most_blocks` blocks.
  explicit Reduction(int most_blocks)
      : parts_(static_cast<std::size_t>(most_blocks) + 1, "sums of blocks"), host_(1, "a sum") {}

  // The result on the card, valid once the queued launch is done.
  Value* result() { return parts_.data() + (parts_.size() - 1); }

  template <class Kernel>
  void later(int blocks, const Kernel& kernel) {
    launch_phases(blocks, detail::InBlocks<Kernel>{kernel, parts_.data()});
    launch_phases(1, detail::OverBlocks<Kernel>{parts_.data(), blocks, result()});
  }

  template <class Kernel>
  Value operator()(int blocks, const Kernel& kernel) {
    later(blocks, kernel);
    copy(host_.data(), result(), sizeof(Value), Way::to_host);
    return host_[0];
  }

 private:
  CardBuffer<Value> parts_;
  PinnedBuffer<Value> host_;
};

}  // namespace TENKEN_GPU_FORM
}  // namespace tenken::gpu
