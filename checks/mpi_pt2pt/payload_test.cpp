#include "payload.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "pairs.hpp"
#include "work.hpp"

using namespace mpi_pt2pt;

TEST_CASE("a message is told from any other and from a shifted one, byte by byte") {
  for (const std::size_t size : {1, 7, 8, 9, 63, 64, 1000}) {
    std::vector<std::byte> message(size + 1, std::byte{0x5a});
    write_payload(message.data(), size, 42);
    CHECK(message[size] == std::byte{0x5a});
    CHECK(wrong_bytes(message.data(), size, 42) == 0);
    if (size >= 8) CHECK(wrong_bytes(message.data(), size, 43) > static_cast<std::int64_t>(size) / 2);
    if (size >= 9) CHECK(wrong_bytes(message.data() + 1, size - 1, 42) > 0);
    message[size - 1] ^= std::byte{1};
    CHECK(wrong_bytes(message.data(), size, 42) == 1);
  }
}

TEST_CASE("partners are each other's, and only the last of an odd number has none") {
  for (const bool halves : {false, true}) {
    for (int ranks = 2; ranks <= 9; ++ranks) {
      for (int rank = 0; rank < ranks; ++rank) {
        const int partner = partner_of(rank, ranks, halves);
        if (ranks % 2 == 1 && rank == ranks - 1) {
          CHECK(partner == nobody);
        } else {
          CHECK(partner != rank);
          CHECK(partner_of(partner, ranks, halves) == rank);
        }
      }
    }
  }
  CHECK(partner_of(0, 6, false) == 1);
  CHECK(partner_of(0, 6, true) == 3);
}

TEST_CASE("each message is counted once over both ranks") {
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
  constexpr int round_trips = 3;
  constexpr int size = 100;
  for (int i = 0; i < round_trips; ++i) {
    for (int way = 0; way < 2; ++way) {
      messages += 1;
      bytes += size;
    }
  }
  const tenken::Work first = round_trip_work(true, size, round_trips);
  const tenken::Work second = round_trip_work(false, size, round_trips);
  CHECK(first.messages + second.messages == messages);
  CHECK(first.bytes_read + first.bytes_written + second.bytes_read + second.bytes_written == bytes);
  CHECK(first.bytes_read == first.bytes_written);
}

TEST_CASE("messages of windows are counted where they are sent") {
  const tenken::Work one = sent_work(100, 3);
  CHECK(one.messages == 3);
  CHECK(one.bytes_read + one.bytes_written == 3 * 100);
}
