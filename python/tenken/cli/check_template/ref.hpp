// The plain twin: what the kernel is tested against, and, over numbers that count, what the work is counted with.
#pragma once

#include <cstddef>

namespace NAME {

template <class Number, class In, class Out>
void plain_axpy(Number a, const In& x, Out& y) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Number of_x = x[i];
    const Number of_y = y[i];
    y[i] = a * of_x + of_y;
  }
}

}  // namespace NAME
