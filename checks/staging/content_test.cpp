#include "content.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace staging;
using tenken::storage::WrongKind;

namespace {

constexpr int ranks = 3, owner = 1, number = 5;
constexpr std::int64_t bytes = 101, at = 4096;  // 13 words, of which the last has 5 bytes of the file

struct Words {
  Content content{77, ranks};
  std::vector<std::uint64_t> words = std::vector<std::uint64_t>(16);

  Words() { content.fill(words, owner, number, at); }
  std::byte* bytes_of() { return reinterpret_cast<std::byte*>(words.data()); }
  std::optional<WrongContent> wrong() { return content.wrong(words, bytes, owner, number, at); }
};

TEST_CASE("right content has no wrong word, and bytes behind the end do not count") {
  Words of;
  for (std::size_t i = bytes; i < 128; ++i) of.bytes_of()[i] = std::byte{0};
  CHECK_FALSE(of.wrong());
  CHECK_FALSE(of.content.wrong({}, 0, owner, number, 0));
}

TEST_CASE("each byte of the file counts, the last too") {
  for (const std::size_t byte : {std::size_t{0}, std::size_t{50}, std::size_t{bytes - 1}}) {
    Words of;
    of.bytes_of()[byte] ^= std::byte{1};
    REQUIRE(of.wrong());
    CHECK(of.wrong()->at == at + static_cast<std::int64_t>(byte / 8 * 8));
    CHECK(of.wrong()->kind == WrongKind::other_bytes);
  }
}

TEST_CASE("data of an earlier launch, of another pass and of another rank have their origin") {
  Words of;
  of.content.fill_stale({of.words.data() + 2, 3}, owner, number, at + 16);
  REQUIRE(of.wrong());
  CHECK(of.wrong()->kind == WrongKind::stale);
  CHECK(of.wrong()->at == at + 16);
  CHECK(of.wrong()->found.launch != of.content.launch());
  of.content.fill(of.words, owner, number - 1, at);
  CHECK(of.wrong()->kind == WrongKind::stale);
  CHECK(of.wrong()->found.file == number - 1);
  of.content.fill(of.words, owner, number, at);
  of.content.fill({of.words.data(), 1}, owner, number, at + 64);
  CHECK(of.wrong()->kind == WrongKind::exchanged);
  CHECK(of.wrong()->found.offset == at + 64);
}

}  // namespace
