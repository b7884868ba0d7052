// A working set of lines: each holds the place of the next one, and numbers that are summed. No MPI, no clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cache {

constexpr std::size_t line_words = 8;  // of 8 bytes: 64 bytes
constexpr std::size_t line_bytes = 8 * line_words;
constexpr std::size_t piece_bytes = std::size_t{8} << 20;  // of a sum, at most

// Follows the chain from line offset `at` (bytes) and returns where so many loads lead: one load waits for the other.
std::uint64_t chase(const std::uint64_t* words, std::uint64_t at, std::int64_t loads);

// Sum modulo 2^64, in as many independent parts as a core needs to stream.
std::uint64_t sum(std::span<const std::uint64_t> words);

// The order of a random cycle through all of n lines: lines in the order in which they are visited, from line 0 on.
std::vector<std::uint32_t> random_cycle(std::size_t lines, std::uint64_t seed);

// Sizes from `least` to `largest` in whole lines, `steps` to a power of two.
std::vector<std::size_t> working_sets(std::size_t least, std::size_t largest, int steps);

class WorkingSet {
 public:
  // Writes a new cycle and new numbers over the first `bytes` of `words`.
  WorkingSet(std::span<std::uint64_t> words, std::size_t bytes, std::uint64_t seed);

  std::size_t bytes() const { return words_.size() * 8; }
  // Goes `loads` on from where the last one ended.
  void chase_on(std::int64_t loads);
  bool chase_is_right() const { return at_ == order_[static_cast<std::size_t>(visited_) % order_.size()] * line_bytes; }

  // Sums so many whole pieces, going round; counts those that were wrong.
  std::size_t pieces() const { return sums_.size(); }
  std::size_t bytes_of_piece(std::size_t piece) const;
  void sum_on(int pieces);
  std::int64_t bytes_of_next(int pieces) const;
  int wrong_sums() const { return wrong_; }
  void warm();  // reads all of it

 private:
  std::span<const std::uint64_t> piece(std::size_t number) const;

  std::span<std::uint64_t> words_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint64_t> sums_;  // of each piece, as written
  std::uint64_t at_ = 0;
  std::int64_t visited_ = 0;
  std::size_t next_ = 0;
  int wrong_ = 0;
};

}  // namespace cache
