#pragma once

#include "measure/section.hpp"

namespace mpi_pingpong {

// A round trip is two messages. Both are counted on the rank that starts it and none on the one that answers, so that
// sums over ranks count each message once: bytes / time is the bandwidth of one direction at a time, summed over pairs.
inline tenken::Work work(bool starts, std::int64_t size, std::int64_t round_trips) {
  if (!starts) return {};
  return {.bytes_read = size * round_trips, .bytes_written = size * round_trips, .messages = 2 * round_trips};
}

}  // namespace mpi_pingpong
