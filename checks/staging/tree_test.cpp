#include "tree.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace staging;

namespace {

constexpr TreeSizes sizes = {.large = 2, .large_bytes = 1 << 20, .small = 5, .small_bytes = 3901, .depth = 3};

TEST_CASE("the tree has its files once, each after its folder, and an inner link") {
  const std::vector<Entry> tree = tree_of(sizes);
  CHECK(files_of(tree) == 2 + 5 + 3 + 2);
  CHECK(bytes_of(tree) == 2 * (1 << 20) + 10 * 3901);
  std::set<std::string> folders = {""};
  std::set<int> numbers;
  int links = 0;
  for (const Entry& entry : tree) {
    const std::size_t slash = entry.path.rfind('/');
    CHECK(folders.contains(slash == std::string::npos ? "" : entry.path.substr(0, slash)));
    if (entry.kind == Entry::Kind::folder) folders.insert(entry.path);
    if (entry.kind == Entry::Kind::link) links += entry.target == "../large/f.0" ? 1 : 100;
    if (entry.kind != Entry::Kind::file) continue;
    CHECK(numbers.insert(entry.number).second);
    CHECK(number_of(entry.path) == entry.number);
  }
  CHECK(links == 1);
  CHECK(*numbers.rbegin() == 11);
  CHECK(folders.contains("deep/d/d/d"));
}

TEST_CASE("odd names are as long as the file system permits, with a newline where it permits that") {
  TreeSizes of = sizes;
  of.longest_name = 143;
  of.newlines = false;
  const auto longest = [](const std::vector<Entry>& tree) {
    std::size_t most = 0;
    for (const Entry& entry : tree) most = std::max(most, entry.path.size() - entry.path.rfind('/') - 1);
    return most;
  };
  const auto newline = [](const Entry& entry) { return entry.path.find('\n') != std::string::npos; };
  CHECK(longest(tree_of(of)) == 143);
  CHECK(longest(tree_of(sizes)) == 255);
  CHECK(std::ranges::none_of(tree_of(of), newline));
  CHECK(std::ranges::count_if(tree_of(sizes), newline) == 1);
}

TEST_CASE("numbers of names") {
  CHECK(number_of("small/f.12") == 12);
  CHECK(number_of("f.12.xxx") == 12);
  CHECK(number_of("f.12\nü") == 12);
  for (const char* name : {"f.", "f.x", "g.1", "f.1x", "f", ""}) CHECK(number_of(name) == -1);
}

TEST_CASE("packed entries are the same again") {
  const std::vector<Entry> tree = tree_of(sizes);
  CHECK(unpacked(packed(tree)) == tree);
  CHECK(unpacked("").empty());
}

}  // namespace
