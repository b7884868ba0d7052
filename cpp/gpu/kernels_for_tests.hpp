// Kernels of the tests: of the host form (kernels_test.cpp) and of the form on a card (on_card_main.cu).
#pragma once

#include <cstdint>

#include "gpu/launch.hpp"

namespace tenken::gpu {
inline namespace TENKEN_GPU_FORM {

struct Count {
  static constexpr int threads = 32;
  int* out;
  std::int64_t n;
  TENKEN_DEVICE void operator()(At at) const {
    for (std::int64_t i = at.first(); i < n; i += at.stride()) out[i] += 1;
  }
};

// Each block turns its items around through the memory of the block.
struct Turn {
  static constexpr int threads = 8, phases = 2;
  struct Shared {
    int of[threads];
  };
  struct Own {
    int to;
  };
  const int* in;
  int* out;
  TENKEN_DEVICE void operator()(Phase<0>, At at, Shared& block, Own& own) const {
    block.of[at.thread] = in[at.first()];
    own.to = static_cast<int>(at.first());
  }
  TENKEN_DEVICE void operator()(Phase<1>, At at, Shared& block, Own& own) const {
    out[own.to] = block.of[threads - 1 - at.thread];
  }
};

// The same without its barrier: falling order of the threads detects that.
struct TurnWithoutBarrier {
  static constexpr int threads = 8, phases = 1;
  using Shared = Turn::Shared;
  using Own = Turn::Own;
  const int* in;
  int* out;
  TENKEN_DEVICE void operator()(Phase<0>, At at, Shared& block, Own&) const {
    block.of[at.thread] = in[at.first()];
    out[at.first()] = block.of[at.thread > 0 ? at.thread - 1 : 0];
  }
};

template <int size>
struct Sum {
  static constexpr int threads = size;
  using Value = double;
  const double* x;
  std::int64_t n;
  TENKEN_DEVICE double operator()(At at) const {
    double s = 0;
    for (std::int64_t i = at.first(); i < n; i += at.stride()) s += x[i];
    return s;
  }
  TENKEN_DEVICE static double combine(double a, double b) { return a + b; }
};

// Counts and adds squares: a value that is combined twice, or not at all, changes both numbers.
struct Pair {
  std::int64_t count, sum;
};
struct Numbers {
  static constexpr int threads = 16;
  using Value = Pair;
  std::int64_t n;
  TENKEN_DEVICE Pair operator()(At at) const {
    Pair mine{0, 0};
    for (std::int64_t i = at.first(); i < n; i += at.stride()) mine = {mine.count + 1, mine.sum + i * i};
    return mine;
  }
  TENKEN_DEVICE static Pair combine(Pair a, Pair b) { return {a.count + b.count, a.sum + b.sum}; }
};

}  // namespace TENKEN_GPU_FORM
}  // namespace tenken::gpu
