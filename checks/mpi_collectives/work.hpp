#pragma once

#include "measure/section.hpp"

namespace mpi_collectives {

// What a rank hands to MPI and gets back. How many messages the library makes of it is its own affair: each call counts
// as one. Sums over ranks are therefore ranks x calls.
inline tenken::Work work(std::int64_t size, std::int64_t calls) {
  return {.bytes_read = size * calls, .bytes_written = size * calls, .messages = calls};
}

}  // namespace mpi_collectives
