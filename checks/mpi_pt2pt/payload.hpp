// What the messages carry: bytes that depend on the message and on the
// place in it, so that a stale, lost or shifted one shows. C++17, because kernel.cu includes it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/host_device.hpp"
#include "base/mix64.hpp"

namespace mpi_pt2pt {

// The number of message i of a sample, sent by `sender`. Numbers of one sample and sender follow each other.
inline std::uint64_t message_of(int sender, std::uint64_t sample, int i) {
  return tenken::mix64(static_cast<std::uint64_t>(sender) + 1) + (sample << 24 | static_cast<std::uint64_t>(i));
}

// 8 bytes of a message, counted by `place`; `start` is mix64 of its number.
TENKEN_HOST_DEVICE constexpr std::uint64_t payload_word(std::uint64_t start, std::uint64_t place) {
  return start + place * 0x9e3779b97f4a7c15u;
}

namespace detail {

// Calls use(offset, word, bytes) for each piece of up to 8 bytes of a message of `size` bytes.
template <class Use>
void for_each_word(std::size_t size, std::uint64_t message, const Use& use) {
  const std::uint64_t start = tenken::mix64(message);
  for (std::size_t offset = 0; offset < size; offset += 8)
    use(offset, payload_word(start, offset / 8), std::min<std::size_t>(8, size - offset));
}

}  // namespace detail

inline void write_payload(std::byte* to, std::size_t size, std::uint64_t message) {
  detail::for_each_word(size, message, [&](std::size_t offset, std::uint64_t word, std::size_t bytes) {
    std::memcpy(to + offset, &word, bytes);
  });
}

inline std::int64_t wrong_bytes(const std::byte* in, std::size_t size, std::uint64_t message) {
  std::int64_t wrong = 0;
  detail::for_each_word(size, message, [&](std::size_t offset, std::uint64_t word, std::size_t bytes) {
    if (std::memcmp(in + offset, &word, bytes) == 0) return;
    std::byte expected[8];
    std::memcpy(expected, &word, sizeof word);
    for (std::size_t i = 0; i < bytes; ++i) wrong += in[offset + i] != expected[i] ? 1 : 0;
  });
  return wrong;
}

}  // namespace mpi_pt2pt
