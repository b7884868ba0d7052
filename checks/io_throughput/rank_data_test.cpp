// Data in parts that fit the buffer; wrong data are placed in the file, in every layout.
#include "rank_data.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <utility>
#include <vector>

using namespace io_throughput;
using tenken::storage::WrongKind;

namespace {

constexpr std::int64_t transfer = 64, bytes = 1024;

RankData written(const Places& places, int writer, std::int64_t pass) {
  RankData data(places, 7);
  data.fill(writer, pass, 0);
  return data;
}

TEST_CASE("data of a rank that exceed 256 MiB come in parts") {
  constexpr std::int64_t mib = 1 << 20;
  const RankData data({Layout::file_a_rank, 0, 2, 272 * mib - 8, 16 * mib}, 1);
  CHECK(data.parts() == 2);
  CHECK((data.bytes(0) == 256 * mib && data.bytes(1) == 16 * mib - 8));
  CHECK((data.end_call(0) == 16 && data.first_call(1) == 16 && data.end_call(1) == 17));
}

TEST_CASE("parts of a small buffer differ, and each is right only as itself") {
  const Places places{Layout::file_a_rank, 0, 2, bytes, transfer};
  RankData data(places, 7, 3 * transfer);
  CHECK((data.parts() == 6 && data.bytes(5) == transfer && data.end_call(5) == 16));
  for (std::int64_t part = 0; part < data.parts(); ++part) {
    data.fill(1, 2, part);
    data.compare(1, 2, part, data.bytes(part), bytes);
  }
  CHECK(data.wrong().words == 0);
  data.fill(1, 2, 4);
  data.compare(1, 2, 3, data.bytes(3), bytes);
  CHECK((data.wrong().words == 3 * transfer / 8 && data.wrong().at == 9 * transfer));
}

TEST_CASE("right data have no wrong word, other ranks and passes do") {
  const Places places{Layout::file_a_rank, 0, 4, bytes, transfer};
  RankData data = written(places, 2, 5);
  data.compare(2, 5, 0, bytes, bytes);
  CHECK(data.wrong().words == 0);
  data.compare(3, 5, 0, bytes, bytes);
  CHECK((data.wrong().words == bytes / 8 && data.wrong().kind == static_cast<int>(WrongKind::exchanged)));
  CHECK(data.wrong().found_rank == 2);
  RankData pass = written(places, 2, 4);
  pass.compare(2, 5, 0, bytes, bytes);
  CHECK(pass.wrong().kind == static_cast<int>(WrongKind::stale));
}

TEST_CASE("wrong data have their offset in the file") {
  for (const auto& [layout, expected] :
       {std::pair{Layout::file_a_rank, 3 * transfer + 8}, std::pair{Layout::segmented, 2 * bytes + 3 * transfer + 8},
        std::pair{Layout::strided, (3 * 4 + 2) * transfer + 8}}) {
    const Places places{layout, 2, 4, bytes, transfer};
    RankData data = written(places, 2, 1);
    data.at_call(3)[8] ^= std::byte{1};
    data.compare(2, 1, 0, bytes, places.file_bytes());
    CHECK((data.wrong().words == 1 && data.wrong().at == expected && data.wrong().writer == 2));
    CHECK(data.wrong().kind == static_cast<int>(WrongKind::other_bytes));
  }
}

TEST_CASE("a file that ends early and a read that does nothing are two things") {
  const Places places{Layout::file_a_rank, 0, 1, bytes, transfer};
  RankData data = written(places, 0, 1), nothing = written(places, 0, 1);
  std::memset(data.at_call(12), 0x0a, 4 * transfer);  // the mark of unread data
  data.compare(0, 1, 0, bytes - 4 * transfer, bytes - 4 * transfer);
  CHECK((data.wrong().kind == static_cast<int>(WrongKind::short_file) && data.wrong().at == 12 * transfer));
  CHECK((data.wrong().file_bytes == bytes - 4 * transfer && data.wrong().expected_bytes == bytes));
  nothing.fill_unread(0);
  nothing.compare(0, 1, 0, bytes, bytes);
  CHECK(nothing.wrong().kind == static_cast<int>(WrongKind::nothing_read));
}

TEST_CASE("words of an earlier launch stand in their place") {
  const Places places{Layout::file_a_rank, 1, 2, bytes, transfer};
  RankData data = written(places, 1, 3);
  std::vector<std::uint64_t> words(8);
  data.words_of(99, 1, 3, 2 * transfer, words);
  std::memcpy(data.at_call(2), words.data(), 64);
  data.compare(1, 3, 0, bytes, bytes);
  CHECK((data.wrong().words == 8 && data.wrong().kind == static_cast<int>(WrongKind::stale)));
  CHECK((data.wrong().found_launch == 99 && data.wrong().at == 2 * transfer));
}

}  // namespace
