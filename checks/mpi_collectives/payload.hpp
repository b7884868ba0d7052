// What is sent: words of 4 bytes that follow from who sends to whom in which sample, so that what is stale, shifted or
// from another rank shows. C++17, because kernel.cu includes it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.hpp"
#include "base/mix64.hpp"

namespace mpi_collectives {

TENKEN_HOST_DEVICE inline std::uint64_t key_of(std::uint64_t sample, int source, int target) {
  return tenken::mix64(tenken::mix64(sample) ^ static_cast<std::uint64_t>(source) << 32 ^
                       static_cast<std::uint64_t>(target));
}

TENKEN_HOST_DEVICE inline std::uint32_t word(std::uint64_t key, std::size_t i) {
  return static_cast<std::uint32_t>((key + i * 0x9e3779b97f4a7c15u) >> 32);
}

inline void fill(std::uint32_t* to, std::size_t words, std::uint64_t key) {
  for (std::size_t i = 0; i < words; ++i) to[i] = word(key, i);
}

// Bytes that are not as they were sent.
inline std::int64_t wrong_bytes(const std::uint32_t* got, std::size_t words, std::uint64_t key) {
  std::uint32_t differ = 0;
  for (std::size_t i = 0; i < words; ++i) differ |= got[i] ^ word(key, i);
  if (differ == 0) return 0;
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < words; ++i) {
    for (std::uint32_t left = got[i] ^ word(key, i); left != 0; left >>= 8) wrong += (left & 0xff) != 0 ? 1 : 0;
  }
  return wrong;
}

}  // namespace mpi_collectives
