#include "kernel.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "known.hpp"

namespace cache {
namespace {

// The plain twins.
std::uint64_t plain_sum(std::span<const std::uint64_t> words) {
  std::uint64_t total = 0;
  for (const std::uint64_t word : words) total += word;
  return total;
}

TEST_CASE("the chain visits every line once, and comes back") {
  for (const std::size_t lines : {1, 2, 3, 64, 1000}) {
    std::vector<std::uint64_t> words(lines * line_words);
    WorkingSet set(words, lines * line_bytes, 7);
    std::set<std::uint64_t> visited;
    std::uint64_t at = 0;
    for (std::size_t i = 0; i < lines; ++i) {
      CHECK(at % line_bytes == 0);
      visited.insert(at);
      at = chase(words.data(), at, 1);
    }
    CHECK(at == 0);
    CHECK(visited.size() == lines);
    CHECK(*visited.rbegin() == (lines - 1) * line_bytes);
  }
  CHECK(random_cycle(1000, 1) != random_cycle(1000, 2));
}

TEST_CASE("a chase is where it must be, and one load too few shows") {
  std::vector<std::uint64_t> words(100 * line_words);
  WorkingSet set(words, 100 * line_bytes, 3);
  for (const std::int64_t loads : {1, 7, 99, 100, 1234}) {
    set.chase_on(loads);
    CHECK(set.chase_is_right());
  }
  words[random_cycle(100, 3)[50] * line_words] = 0;  // the chain is cut short
  set.chase_on(100);
  CHECK_FALSE(set.chase_is_right());
}

TEST_CASE("sums equal the twin for every remainder, and one wrong bit is found in its piece") {
  std::vector<std::uint64_t> numbers(200);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i * 0x9e3779b97f4a7c15u;
  for (std::size_t n = 0; n <= numbers.size(); ++n) {
    CHECK(sum(std::span(numbers).first(n)) == plain_sum(std::span(numbers).first(n)));
  }
  const std::size_t bytes = 2 * piece_bytes + 3 * line_bytes;
  std::vector<std::uint64_t> words(bytes / 8 + 8, 99);
  WorkingSet set(words, bytes, 5);
  REQUIRE(set.pieces() == 3);
  CHECK(set.bytes_of_piece(2) == 3 * line_bytes);
  CHECK(set.bytes_of_next(4) == static_cast<std::int64_t>(bytes + piece_bytes));
  set.sum_on(4);
  set.warm();
  CHECK(set.wrong_sums() == 0);
  CHECK(words.back() == 99);
  words[piece_bytes / 8 + 5] ^= 1u << 20;
  set.warm();
  CHECK(set.wrong_sums() == 1);
}

TEST_CASE("working sets go by equal ratios, in whole lines") {
  CHECK(working_sets(4096, 4096, 4) == std::vector<std::size_t>{4096});
  CHECK(working_sets(4096, 16384, 1) == std::vector<std::size_t>{4096, 8192, 16384});
  const auto sets = working_sets(4096, 1 << 20, 4);
  CHECK(sets.size() == 33);
  for (const std::size_t size : sets) CHECK(size % line_bytes == 0);
  CHECK(working_sets(1, 256, 8).front() == 64);
}

TEST_CASE("caches are those of data, in bytes") {
  const std::filesystem::path root = std::filesystem::temp_directory_path() / ("cache_" + std::to_string(getpid()));
  const auto put = [&](const std::string& name, const std::string& text) {
    const std::filesystem::path file = root / "sys/devices/system/cpu/cpu3/cache" / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << "\n";
  };
  const auto index = [&](int number, const char* level, const char* type, const char* size) {
    const std::string folder = "index" + std::to_string(number) + "/";
    put(folder + "level", level);
    put(folder + "type", type);
    put(folder + "size", size);
  };
  index(0, "1", "Data", "48K");
  index(1, "1", "Instruction", "32K");
  index(2, "2", "Unified", "2048K");
  index(3, "3", "Unified", "260M");
  const std::map<int, std::int64_t> expected{{1, 49152}, {2, 2097152}, {3, 272629760}};
  CHECK(known_caches(tenken::Tree(root), 3) == expected);
  CHECK(known_caches(tenken::Tree(root), 4).empty());
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace cache
