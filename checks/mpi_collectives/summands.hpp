// Numbers whose sum over the ranks is known exactly: whole, and small enough that no order of summation rounds.
// C++17, because kernel.cu includes it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.hpp"
#include "base/mix64.hpp"

namespace mpi_collectives {

// Element i of call `call`: 1 to 1024.
TENKEN_HOST_DEVICE inline double weight(std::uint64_t call, std::size_t i) {
  return static_cast<double>((tenken::mix64(call) + 37 * i) % 1024 + 1);
}

// What `rank` gives. Up to 10^6 ranks the sum stays below 2^53.
TENKEN_HOST_DEVICE inline double summand(int rank, std::uint64_t call, std::size_t i) {
  return (rank + 1) * weight(call, i);
}

TENKEN_HOST_DEVICE inline double exact_sum(int ranks, std::uint64_t call, std::size_t i) {
  return 0.5 * ranks * (ranks + 1.0) * weight(call, i);
}

// The same in whole numbers of 4 bytes: weights of 1 to 16, and ranks counted anew after 1024 of them. Up to 250,000
// ranks the sum stays below 2^31.
TENKEN_HOST_DEVICE inline std::int32_t small_weight(std::uint64_t call, std::size_t i) {
  return static_cast<std::int32_t>((tenken::mix64(call) + 7 * i) % 16 + 1);
}

TENKEN_HOST_DEVICE inline std::int32_t small_summand(int rank, std::uint64_t call, std::size_t i) {
  return (rank % 1024 + 1) * small_weight(call, i);
}

TENKEN_HOST_DEVICE inline std::int32_t exact_small_sum(int ranks, std::uint64_t call, std::size_t i) {
  const int rest = ranks % 1024;
  return (ranks / 1024 * (1024 * 1025 / 2) + rest * (rest + 1) / 2) * small_weight(call, i);
}

}  // namespace mpi_collectives
