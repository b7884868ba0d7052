// The work of one pass over n elements, by the loop: x and y are read, y is written; one product, one sum.
#pragma once

#include "measure/section.hpp"

namespace NAME {

inline tenken::Work axpy_work(std::int64_t n) { return {.flop = 2 * n, .bytes_read = 16 * n, .bytes_written = 8 * n}; }

}  // namespace NAME
