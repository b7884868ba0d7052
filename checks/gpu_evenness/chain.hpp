// What each thread computes. Card and host give the same bits, because every step is one rounding.
#pragma once

#include <cmath>
#include <cstdint>

#include "gpu/form.hpp"

namespace tenken::gpu_evenness {

constexpr int chains = 8;  // independent multiply-adds of a thread, so that none waits for the one before

// Each chain goes from another start towards 1.
TENKEN_DEVICE inline double chain(std::int64_t rounds) {
  constexpr double shrink = 1 - 1.0 / (1 << 20);
  constexpr double grow = 1.0 / (1 << 20);
  double x[chains];
  for (int c = 0; c < chains; ++c) x[c] = 1 + 0.125 * (c + 1);
  for (std::int64_t round = 0; round < rounds; ++round) {
    for (int c = 0; c < chains; ++c) x[c] = fma(x[c], shrink, grow);
  }
  double sum = 0;
  for (int c = 0; c < chains; ++c) sum += x[c];
  return sum;
}

}  // namespace tenken::gpu_evenness
