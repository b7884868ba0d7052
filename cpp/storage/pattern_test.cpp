// Every word decodes to its origin, and a wrong word says what it is.
#include "storage/pattern.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "base/random.hpp"

using namespace tenken;
using namespace tenken::storage;

namespace {

TEST_CASE("words decode to their origin, under any seed") {
  const RandomStream random(1, 2);
  for (std::uint64_t n = 0; n < 2000; ++n) {
    const Pattern pattern(random.bits(5 * n));
    const Origin of{static_cast<int>(random.bits(5 * n + 1) % Origin::launches),
                    static_cast<int>(random.bits(5 * n + 2) % Origin::ranks),
                    static_cast<int>(random.bits(5 * n + 3) % Origin::files),
                    static_cast<std::int64_t>(random.bits(5 * n + 4) % (Origin::bytes / 8)) * 8};
    CHECK(pattern.origin(pattern.word(of)) == of);
  }
  CHECK(Pattern(1).word({1, 2, 3, 8}) != Pattern(2).word({1, 2, 3, 8}));
}

TEST_CASE("filling is word by word, also at the last offset of a file") {
  const Pattern pattern(7);
  std::vector<std::uint64_t> words(9);
  const Origin first{5, 6, 7, Origin::bytes - 72};
  pattern.fill(words, first);
  for (std::size_t i = 0; i < words.size(); ++i) {
    Origin here = first;
    here.offset += static_cast<std::int64_t>(i) * 8;
    CHECK(words[i] == pattern.word(here));
  }
}

TEST_CASE("no two words of a rank are alike, and bytes are as even as random ones") {
  const Pattern pattern(3);
  std::vector<std::uint64_t> words(1 << 16);
  pattern.fill(words, {1, 0, 0, 0});
  std::vector<std::int64_t> counts(256);
  for (const std::uint64_t word : words) {
    for (int shift = 0; shift < 64; shift += 8) ++counts[word >> shift & 255];
  }
  // Chi squared with 255 degrees of freedom: mean 255, deviation 22.6; five deviations.
  const double mean = static_cast<double>(words.size()) * 8 / 256;
  double chi = 0;
  for (const auto count : counts)
    chi += (static_cast<double>(count) - mean) * (static_cast<double>(count) - mean) / mean;
  CHECK(chi < 255 + 5 * 22.6);
  std::sort(words.begin(), words.end());
  CHECK(std::adjacent_find(words.begin(), words.end()) == words.end());
}

struct Read {
  Pattern pattern{11};
  Origin expected{9, 1, 4, 0};
  std::vector<std::uint64_t> words = std::vector<std::uint64_t>(1024);
  Read() { pattern.fill(words, expected); }
  Wrong compared() const { return pattern.compare(words, expected, 4); }
};

TEST_CASE("right data have no wrong word") { CHECK(Read().compared().words == 0); }

TEST_CASE("a flipped byte is placed and belongs to nobody") {
  Read read;
  read.words[700] ^= 0x40;
  const Wrong wrong = read.compared();
  CHECK((wrong.words == 1 && wrong.first == 5600 && wrong.kind == WrongKind::other_bytes));
}

TEST_CASE("exchanged blocks say where they belong") {
  Read read;
  std::swap_ranges(read.words.begin(), read.words.begin() + 128, read.words.begin() + 512);
  CHECK(read.compared().words == 256);
  CHECK(read.compared().kind == WrongKind::exchanged);
  CHECK(read.compared().found == Origin{9, 1, 4, 4096});
  Read other;
  other.pattern.fill(std::span(other.words).first(16), {9, 3, 4, 64});
  CHECK(other.compared().kind == WrongKind::exchanged);
  CHECK(other.compared().found == Origin{9, 3, 4, 64});
}

TEST_CASE("data of an earlier launch or pass are stale") {
  Read read;
  read.pattern.fill(std::span(read.words).subspan(8, 16), {77, 1, 4, 64});
  CHECK(read.compared().kind == WrongKind::stale);
  CHECK(read.compared().found.launch == 77);
  CHECK(read.compared().first == 64);
  Read pass;
  pass.pattern.fill(std::span(pass.words).first(1), {9, 1, 3, 0});
  CHECK(pass.compared().kind == WrongKind::stale);
  CHECK(pass.compared().found.file == 3);
}

TEST_CASE("a read that does nothing is seen") {
  Read read;
  Pattern::fill_unread(read.words);
  CHECK(read.compared().words == 1024);
  CHECK(read.compared().kind == WrongKind::nothing_read);
}

TEST_CASE("ranks that are not there wrote nothing") {
  Read read;
  read.words[0] = read.pattern.word({9, 4, 4, 0});
  CHECK(read.compared().kind == WrongKind::other_bytes);
}

}  // namespace
