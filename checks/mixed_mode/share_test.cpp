#include "share.hpp"

#include <doctest/doctest.h>

#include <set>
#include <vector>

using namespace mixed_mode;

namespace {

constexpr Origin origin{7, 9, 2, 1, 0};

std::vector<std::uint64_t> share(std::size_t words, const Origin& of) {
  std::vector<std::uint64_t> made(words);
  write(made, of);
  return made;
}

TEST_CASE("the sum of a share is known without its words") {
  for (const std::size_t words : {0, 1, 2, 3, 64, 1001})
    CHECK(sum(share(words, origin)) == expected_sum(words, origin));
}

TEST_CASE("messages differ by sample, exchange, rank, thread and direction") {
  std::set<std::uint64_t> seen;
  int all = 0;
  for (std::int64_t sample = 1; sample < 4; ++sample) {
    for (std::int64_t iteration = 0; iteration < 5; ++iteration) {
      for (int rank = 0; rank < 3; ++rank) {
        for (int thread = 0; thread < 4; ++thread) {
          for (int direction = 0; direction < 2; ++direction, ++all) {
            seen.insert(first_word({sample, iteration, rank, thread, direction}));
          }
        }
      }
    }
  }
  CHECK(static_cast<int>(seen.size()) == all);
}

TEST_CASE("a wrong word has its place, the share of another thread its thread, an old share its age") {
  constexpr int threads = 4;
  std::vector<std::uint64_t> words = share(10, origin);
  CHECK(compare(words, origin, threads).words == 0);
  words[6] ^= 1;
  CHECK(compare(words, origin, threads).words == 1);
  CHECK(compare(words, origin, threads).first == 6);
  CHECK(compare(words, origin, threads).thread == -1);
  CHECK(compare(words, origin, threads).late == 0);
  Origin other = origin;
  other.thread = 3;
  CHECK(compare(share(10, other), origin, threads).thread == 3);
  CHECK(compare(share(10, other), origin, threads).words == 10);
  other = origin;
  other.iteration -= 4;
  CHECK(compare(share(10, other), origin, threads).late == 4);
  CHECK(compare(share(10, other), origin, threads).thread == -1);
}

TEST_CASE("shares cut a message into parts that differ by one word at most") {
  for (const std::size_t words : {1, 7, 64, 1000}) {
    for (const int threads : {1, 2, 3, 7}) {
      std::size_t next = 0;
      for (int thread = 0; thread < threads; ++thread) {
        const Range range = range_of(words, thread, threads);
        CHECK(range.begin == next);
        CHECK(range.size <= words / static_cast<std::size_t>(threads) + 1);
        next += range.size;
      }
      CHECK(next == words);
    }
  }
}

}  // namespace
