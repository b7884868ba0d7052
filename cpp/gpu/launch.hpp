// Launch of a kernel: on the card by a grid of blocks of threads, on the host by loops over blocks and threads.
//
// A kernel is a trivially copyable struct of its arguments:
//
//   struct Scale {
//     static constexpr int threads = 256;  // of a block
//     double* out; const double* in; double s; std::int64_t n;
//     TENKEN_DEVICE void operator()(At at) const {
//       for (std::int64_t i = at.first(); i < n; i += at.stride()) out[i] = s * in[i];
//     }
//   };
//   launch(blocks, Scale{out, in, 0.42, n});
//
// Threads of a block exchange values between phases, never inside of a phase. So a loop over the threads of each phase
// in turn is the same program:
//
//   struct Turned {
//     static constexpr int threads = 64, phases = 2;
//     struct Shared { double of[threads]; };  // of the block
//     struct Own { double x; };               // of the thread, from phase to phase
//     ...arguments...
//     TENKEN_DEVICE void operator()(Phase<0>, At at, Shared& block, Own& own) const { block.of[at.thread] = ...; }
//     TENKEN_DEVICE void operator()(Phase<1>, At at, Shared& block, Own& own) const { ... block.of[63 - at.thread]; }
//   };
//   launch_phases(blocks, Turned{...});
//
// Shared and Own are trivial types: nothing initialises them.
//
// On the host the threads of a phase run in rising order, or in falling order after `falling_threads(true)`. A kernel
// whose result depends on the order lacks a phase.
//
// Launches are queued. A launch that the runtime refuses is a UserError (trouble.hpp) at once; errors inside of a
// kernel are reported by the next call that waits.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "gpu/runtime.hpp"

namespace tenken::gpu {
inline namespace TENKEN_GPU_FORM {

// The place of a thread in its grid.
struct At {
  int block;
  int blocks;
  int thread;
  int threads;

  TENKEN_DEVICE std::int64_t first() const { return std::int64_t{1} * block * threads + thread; }
  TENKEN_DEVICE std::int64_t stride() const { return std::int64_t{1} * blocks * threads; }
};

template <int number>
struct Phase {};

// Blocks that give each of n items to a thread.
template <class Kernel>
int blocks_for(std::int64_t n) {
  return static_cast<int>((n + Kernel::threads - 1) / Kernel::threads);
}

#if TENKEN_GPU_ON_CARD

namespace detail {

__device__ inline At here() {
  return {static_cast<int>(blockIdx.x), static_cast<int>(gridDim.x), static_cast<int>(threadIdx.x),
          static_cast<int>(blockDim.x)};
}

template <class Kernel>
__global__ void __launch_bounds__(Kernel::threads) run(const Kernel kernel) {
  kernel(here());
}

template <int phase, class Kernel>
__device__ void run_from(const Kernel& kernel, At at, typename Kernel::Shared& block, typename Kernel::Own& own) {
  kernel(Phase<phase>{}, at, block, own);
  if constexpr (phase + 1 < Kernel::phases) {
    __syncthreads();
    run_from<phase + 1>(kernel, at, block, own);
  }
}

template <class Kernel>
__global__ void __launch_bounds__(Kernel::threads) run_phases(const Kernel kernel) {
  __shared__ typename Kernel::Shared block;
  typename Kernel::Own own;
  run_from<0>(kernel, here(), block, own);
}

}  // namespace detail

template <class Kernel>
void launch(int blocks, const Kernel& kernel) {
  static_assert(std::is_trivially_copyable_v<Kernel>, "arguments of a kernel are copied as bytes");
  if (blocks < 1) return;
  detail::run<Kernel><<<static_cast<unsigned>(blocks), Kernel::threads>>>(kernel);
  expect_launched("a kernel");
}

template <class Kernel>
void launch_phases(int blocks, const Kernel& kernel) {
  static_assert(std::is_trivially_copyable_v<Kernel>, "arguments of a kernel are copied as bytes");
  static_assert(std::is_trivial_v<typename Kernel::Shared> && std::is_trivial_v<typename Kernel::Own>);
  if (blocks < 1) return;
  detail::run_phases<Kernel><<<static_cast<unsigned>(blocks), Kernel::threads>>>(kernel);
  expect_launched("a kernel with phases");
}

#else

namespace detail {
inline bool& falling() {
  static bool order = false;
  return order;
}

template <class Kernel, class Call>
void each_thread(int block, int blocks, const Call& call) {
  for (int i = 0; i < Kernel::threads; ++i)
    call(At{block, blocks, falling() ? Kernel::threads - 1 - i : i, Kernel::threads});
}

template <int phase, class Kernel>
void run_from(const Kernel& kernel, int block, int blocks, typename Kernel::Shared& shared,
              std::vector<typename Kernel::Own>& own) {
  each_thread<Kernel>(block, blocks,
                      [&](At at) { kernel(Phase<phase>{}, at, shared, own[static_cast<std::size_t>(at.thread)]); });
  if constexpr (phase + 1 < Kernel::phases) run_from<phase + 1>(kernel, block, blocks, shared, own);
}
}  // namespace detail

inline void falling_threads(bool order) { detail::falling() = order; }

template <class Kernel>
void launch(int blocks, const Kernel& kernel) {
  static_assert(std::is_trivially_copyable_v<Kernel>, "arguments of a kernel are copied as bytes");
  expect_launched("a kernel");
  for (int block = 0; block < blocks; ++block) detail::each_thread<Kernel>(block, blocks, kernel);
}

template <class Kernel>
void launch_phases(int blocks, const Kernel& kernel) {
  static_assert(std::is_trivially_copyable_v<Kernel>, "arguments of a kernel are copied as bytes");
  static_assert(std::is_trivial_v<typename Kernel::Shared> && std::is_trivial_v<typename Kernel::Own>);
  expect_launched("a kernel with phases");
  for (int block = 0; block < blocks; ++block) {
    typename Kernel::Shared shared;
    std::vector<typename Kernel::Own> own(Kernel::threads);
    // Memory of a card has old values at first, which a kernel must not use.
    std::memset(static_cast<void*>(&shared), 0xab, sizeof shared);
    std::memset(static_cast<void*>(own.data()), 0xab, own.size() * sizeof own[0]);
    detail::run_from<0>(kernel, block, blocks, shared, own);
  }
}

#endif

}  // namespace TENKEN_GPU_FORM
}  // namespace tenken::gpu
