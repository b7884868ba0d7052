#include "storage/pattern.hpp"

#include "base/random.hpp"

namespace tenken::storage {

namespace {

constexpr std::uint64_t unread = 0x0a0a0a0a0a0a0a0au;

// The inverse of an odd number modulo 2^64, by Newton's iteration: each step doubles the right bits, and a number is
// its inverse in the last three.
constexpr std::uint64_t inverse(std::uint64_t odd) {
  std::uint64_t x = odd;
  for (int right = 3; right < 64; right *= 2) x *= 2 - odd * x;
  return x;
}

// What z ^ (z >> shift) came from.
constexpr std::uint64_t unshift(std::uint64_t z, int shift) {
  std::uint64_t x = z;
  for (int right = shift; right < 64; right += shift) x = z ^ (x >> shift);
  return x;
}

// The inverse of mix64.
constexpr std::uint64_t unmix64(std::uint64_t z) {
  z = unshift(z, 31) * inverse(0x94d049bb133111ebu);
  z = unshift(z, 27) * inverse(0xbf58476d1ce4e5b9u);
  return unshift(z, 30) - 0x9e3779b97f4a7c15u;
}
static_assert(unmix64(mix64(0x0123456789abcdefu)) == 0x0123456789abcdefu);

constexpr std::uint64_t packed(const Origin& of) {
  return static_cast<std::uint64_t>(of.launch) << 52 | static_cast<std::uint64_t>(of.rank) << 38 |
         static_cast<std::uint64_t>(of.file) << 25 | static_cast<std::uint64_t>(of.offset / 8);
}

}  // namespace

Pattern::Pattern(std::uint64_t seed) : key_(mix64(seed)) {}

std::uint64_t Pattern::word(const Origin& of) const { return mix64(packed(of) ^ key_); }

Origin Pattern::origin(std::uint64_t word) const {
  const std::uint64_t from = unmix64(word) ^ key_;
  const auto part = [&](int shift, int count) { return static_cast<int>(from >> shift & (std::uint64_t(count) - 1)); };
  return {part(52, Origin::launches), part(38, Origin::ranks), part(25, Origin::files),
          static_cast<std::int64_t>(from & ((std::uint64_t{1} << 25) - 1)) * 8};
}

void Pattern::fill(std::span<std::uint64_t> words, const Origin& first) const {
  const std::uint64_t from = packed(first);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = mix64((from + i) ^ key_);
}

void Pattern::fill_unread(std::span<std::uint64_t> words) {
  for (std::uint64_t& word : words) word = unread;
}

Wrong Pattern::compare(std::span<const std::uint64_t> got, const Origin& expected, int ranks) const {
  Wrong wrong;
  const std::uint64_t from = packed(expected);
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] == mix64((from + i) ^ key_)) continue;
    if (wrong.words++ > 0) continue;
    wrong.first = static_cast<std::int64_t>(i) * 8;
    Origin here = expected;
    here.offset += wrong.first;
    wrong.kind = kind_of(got[i], here, ranks);
    if (wrong.kind == WrongKind::stale || wrong.kind == WrongKind::exchanged) wrong.found = origin(got[i]);
  }
  return wrong;
}

WrongKind Pattern::kind_of(std::uint64_t word, const Origin& expected, int ranks) const {
  if (word == unread) return WrongKind::nothing_read;
  const Origin from = origin(word);
  // A word that no rank wrote decodes to any origin: to the offset expected here once in 2^25.
  const bool here = from.rank == expected.rank && from.file == expected.file && from.offset == expected.offset;
  if (from.launch != expected.launch && here) return WrongKind::stale;
  if (from.launch != expected.launch || from.rank >= ranks) return WrongKind::other_bytes;
  if (from.rank == expected.rank && from.offset == expected.offset) return WrongKind::stale;  // of another pass
  return from.file == expected.file ? WrongKind::exchanged : WrongKind::other_bytes;
}

}  // namespace tenken::storage
