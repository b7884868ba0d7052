// The words that are copied: each is unlike its neighbours, and a new seed changes one word of every page.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tenken::gpu_paths {

constexpr std::size_t page_words = 512;

constexpr std::uint64_t word(std::size_t k, std::uint64_t seed) {
  return (k + 1) * 0x9e3779b97f4a7c15U ^ (k % page_words == 0 ? seed * 0xd1342543de82ef95U : 0);
}

inline void write(std::uint64_t* words, std::size_t n, std::uint64_t seed) {
  for (std::size_t k = 0; k < n; ++k) words[k] = word(k, seed);
}

// Of words that were written before with another seed.
inline void renew(std::uint64_t* words, std::size_t n, std::uint64_t seed) {
  for (std::size_t k = 0; k < n; k += page_words) words[k] = word(k, seed);
}

inline std::int64_t wrong(const std::uint64_t* words, std::size_t n, std::uint64_t seed) {
  std::int64_t found = 0;
  for (std::size_t k = 0; k < n; ++k) found += words[k] != word(k, seed) ? 1 : 0;
  return found;
}

}  // namespace tenken::gpu_paths
