// Whether a core is shared: how many instructions a cycle a thread may start.
#pragma once

#include "measure/clock.hpp"

namespace tenken {

constexpr double enough_of_the_best = 0.95;  // of the best probe: the core was alone

template <class Action>
double ns_of(Action action) {
  const std::int64_t begin = ticks_now();
  action();
  return static_cast<double>(ticks_now() - begin);
}

// 128,000 no-operations, in a loop that fits the smallest caches of decoded instructions: 7 us at six a cycle.
inline void no_operations() {
  for (int i = 0; i < 1000; ++i) asm volatile(".rept 128\n\tnop\n\t.endr");
}

}  // namespace tenken
