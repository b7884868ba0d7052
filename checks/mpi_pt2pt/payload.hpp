// What the messages carry: bytes that depend on the message and on the
// place in it, so that a stale, lost or shifted one shows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/random.hpp"

namespace mpi_pt2pt {

namespace detail {

// Calls use(offset, word, bytes) for each piece of up to 8 bytes of a message of `size` bytes.
template <class Use>
void for_each_word(std::size_t size, std::uint64_t message, const Use& use) {
  const std::uint64_t start = tenken::mix64(message);
  constexpr std::uint64_t step = 0x9e3779b97f4a7c15u;
  for (std::size_t offset = 0; offset < size; offset += 8)
    use(offset, start + (offset / 8) * step, std::min<std::size_t>(8, size - offset));
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
