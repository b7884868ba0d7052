#include "summands.hpp"

#include <doctest/doctest.h>

#include "work.hpp"

using namespace mpi_collectives;

TEST_CASE("the exact sum is the sum, added one by one") {
  for (const int ranks : {1, 2, 3, 100}) {
    for (std::size_t i = 0; i < 50; ++i) {
      double sum = 0;
      for (int rank = 0; rank < ranks; ++rank) sum += summand(rank, 7, i);
      CHECK(sum == exact_sum(ranks, 7, i));
    }
  }
}

TEST_CASE("sums of a million ranks are whole numbers that a double holds") { CHECK(exact_sum(1000000, 1, 0) < 0x1p53); }

TEST_CASE("neighbouring calls and elements differ, so that a stale or shifted result shows") {
  for (std::size_t i = 0; i < 50; ++i) {
    CHECK(weight(1, i) != weight(1, i + 1));
    CHECK(weight(1, i) != weight(2, i));
  }
}

TEST_CASE("work counts what a rank hands over and gets back, call by call") {
  std::int64_t given = 0;
  std::int64_t calls = 0;
  for (int call = 0; call < 3; ++call) {
    for (int number = 0; number < 5; ++number) given += sizeof(double);
    ++calls;
  }
  const tenken::Work counted = work(5 * 8, 3);
  CHECK(counted.bytes_written == given);
  CHECK(counted.bytes_read == given);
  CHECK(counted.messages == calls);
}

TEST_CASE("the same in whole numbers of 4 bytes, also of more ranks than are counted") {
  for (const int ranks : {1, 2, 100, 1024, 3000}) {
    for (std::size_t i = 0; i < 20; ++i) {
      std::int32_t sum = 0;
      for (int rank = 0; rank < ranks; ++rank) sum += small_summand(rank, 7, i);
      CHECK(sum == exact_small_sum(ranks, 7, i));
    }
  }
  for (std::size_t i = 0; i < 16; ++i) CHECK(exact_small_sum(250000, 1, i) > 0);
}
