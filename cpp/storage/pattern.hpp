// The words of 8 bytes that are written into files. Each word names its place.
//
// A word is a bijection, keyed by a seed, of launch (12 bits), rank (14), file (13) and offset / 8 (25): a wrong word
// decodes to its origin, no two words of a launch are alike, so that no two blocks are, and nothing can be compressed.
// The bijection is the finaliser of SplitMix64 (base/random.hpp).
#pragma once

#include <cstdint>
#include <span>

namespace tenken::storage {

struct Origin {
  int launch = 0;           // 0 to 4095
  int rank = 0;             // 0 to 16383
  int file = 0;             // 0 to 8191
  std::int64_t offset = 0;  // bytes, a multiple of 8, below 256 MiB

  static constexpr int launches = 1 << 12, ranks = 1 << 14, files = 1 << 13;
  static constexpr std::int64_t bytes = std::int64_t{8} << 25;
  bool operator==(const Origin&) const = default;
};

// What stands where other data were expected. Numbers are those of the table `wrong_data`.
enum class WrongKind { other_bytes = 0, nothing_read = 1, stale = 2, exchanged = 3, short_file = 4 };

struct Wrong {
  std::int64_t words = 0;  // that differ
  std::int64_t first = 0;  // bytes from the beginning of what was compared to the first wrong word
  WrongKind kind = WrongKind::other_bytes;
  Origin found;  // where the first wrong word belongs: for `stale` and `exchanged`
};

class Pattern {
 public:
  explicit Pattern(std::uint64_t seed);

  std::uint64_t word(const Origin& of) const;
  Origin origin(std::uint64_t word) const;

  // The words from `first` on.
  void fill(std::span<std::uint64_t> words, const Origin& first) const;
  // Words that no file holds: what a read that does nothing leaves in the buffer.
  static void fill_unread(std::span<std::uint64_t> words);

  // `got` against the words from `expected` on, of a launch with `ranks` ranks.
  Wrong compare(std::span<const std::uint64_t> got, const Origin& expected, int ranks) const;

 private:
  WrongKind kind_of(std::uint64_t word, const Origin& expected, int ranks) const;

  std::uint64_t key_;
};

}  // namespace tenken::storage
