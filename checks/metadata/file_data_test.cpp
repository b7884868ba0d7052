// Contents of files against a plain word-by-word twin, with each kind of damage.
#include "file_data.hpp"

#include <doctest/doctest.h>

#include <cstring>

using namespace metadata;
using tenken::storage::Pattern;
using tenken::storage::WrongKind;

namespace {

TEST_CASE("every byte of every file is that of the pattern, and a change of any byte is found") {
  for (const std::int64_t bytes : {1, 7, 8, 9, 3901}) {
    FileData data(3, bytes, 2, 77);
    data.fill(1, 5);
    for (int file = 0; file < 3; ++file) {
      for (const std::int64_t at : {std::int64_t{0}, bytes / 2, bytes - 1}) {
        const std::uint64_t word = Pattern(36).word({77, 1, 5, file * padded(bytes) + at / 8 * 8});  // the plain twin
        std::byte expected{};
        std::memcpy(&expected, reinterpret_cast<const char*>(&word) + at % 8, 1);
        CHECK(data.of(file)[at] == expected);
        data.of(file)[at] ^= std::byte{1};
        const auto wrong = data.wrong(1, 5, file);
        REQUIRE(wrong.has_value());
        CHECK(wrong->at == at / 8 * 8);
        data.of(file)[at] ^= std::byte{1};
        CHECK_FALSE(data.wrong(1, 5, file).has_value());
      }
    }
  }
}

TEST_CASE("bytes behind the end of a file do not count") {
  FileData data(1, 3901, 1, 0);
  data.fill(0, 0);
  std::memset(data.of(0) + 3901, 0, 3);
  CHECK_FALSE(data.wrong(0, 0, 0).has_value());
}

TEST_CASE("a read of nothing, stale data and the data of another file are named") {
  FileData data(4, 3901, 2, 9), other(4, 3901, 2, 9);
  data.fill_unread();
  CHECK(data.wrong(0, 3, 1)->kind == WrongKind::nothing_read);
  data.fill(0, 2);
  CHECK(data.wrong(0, 3, 1)->kind == WrongKind::stale);  // of the pass before
  data.fill(0, 3);
  other.fill(1, 3);
  std::memcpy(data.of(1), other.of(2), 3901);
  const auto wrong = data.wrong(0, 3, 1);
  REQUIRE(wrong.has_value());
  CHECK(wrong->kind == WrongKind::exchanged);
  CHECK(wrong->found_rank == 1);
  CHECK(wrong->found_file == 2);
}

TEST_CASE("empty files have no content") {
  FileData data(5, 0, 1, 1);
  data.fill(0, 0);
  data.fill_unread();
  CHECK_FALSE(data.wrong(0, 0, 4).has_value());
}

}  // namespace
