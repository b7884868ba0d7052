// The words that threads write into their shares of a message. Each names the message and the thread.
#pragma once

#include <cstdint>
#include <span>

#include "base/random.hpp"

namespace mixed_mode {

struct Origin {
  std::int64_t sample = 0;
  std::int64_t iteration = 0;
  int rank = 0;
  int thread = 0;
  int direction = 0;  // of two
};

// The words of a share are first, first + step, first + 2 step ... modulo 2^64: cheap to write, with a known sum.
constexpr std::uint64_t step = 0x9e3779b97f4a7c15u;

constexpr std::uint64_t first_word(const Origin& of) {
  const std::uint64_t message =
      tenken::mix64(static_cast<std::uint64_t>(of.sample) << 20 ^ static_cast<std::uint64_t>(of.iteration));
  return tenken::mix64(message ^ static_cast<std::uint64_t>(of.rank) << 32 ^
                       static_cast<std::uint64_t>(of.thread) << 2 ^ static_cast<std::uint64_t>(of.direction));
}

inline void write(std::span<std::uint64_t> words, const Origin& of) {
  const std::uint64_t first = first_word(of);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = first + i * step;
}

// Reads every word.
inline std::uint64_t sum(std::span<const std::uint64_t> words) {
  std::uint64_t total = 0;
  for (const std::uint64_t word : words) total += word;
  return total;
}

constexpr std::uint64_t expected_sum(std::size_t words, const Origin& of) {
  const std::uint64_t n = words, pairs = n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
  return n * first_word(of) + step * pairs;
}

// The words of a share that are wrong, and whose share the first wrong word belongs to.
struct WrongShare {
  std::int64_t words = 0;
  std::int64_t first = 0;  // place of the first wrong word in the share
  int thread = -1;         // whose share of the same message it is; -1: of no thread
  std::int64_t late = 0;   // iterations that it is late by, up to 64; 0: of no earlier iteration
};
WrongShare compare(std::span<const std::uint64_t> words, const Origin& of, int threads);

// The share of a thread in `words` words, cut as evenly as possible: first word and number.
struct Range {
  std::size_t begin = 0, size = 0;
};
constexpr Range range_of(std::size_t words, int thread, int threads) {
  const auto t = static_cast<std::size_t>(thread), all = static_cast<std::size_t>(threads);
  const std::size_t begin = words * t / all;
  return {begin, words * (t + 1) / all - begin};
}

}  // namespace mixed_mode
