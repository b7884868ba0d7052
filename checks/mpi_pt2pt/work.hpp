// What moves, each message counted once over all ranks: bytes over time are then rates of the pair.
#pragma once

#include "measure/section.hpp"

namespace mpi_pt2pt {

// A round trip is two messages. Both are counted on the rank that starts it and none on the one that answers: bytes /
// time is the bandwidth of one direction at a time, summed over pairs.
inline tenken::Work round_trip_work(bool starts, std::int64_t size, std::int64_t round_trips) {
  if (!starts) return {};
  return {.bytes_read = size * round_trips, .bytes_written = size * round_trips, .messages = 2 * round_trips};
}

// Messages are counted where they are sent.
inline tenken::Work sent_work(std::int64_t size, std::int64_t messages) {
  return {.bytes_written = size * messages, .messages = messages};
}

}  // namespace mpi_pt2pt
