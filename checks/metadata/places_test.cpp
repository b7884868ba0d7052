// Names of files and folders against a plain enumeration.
#include "places.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace metadata;

namespace {

TEST_CASE("every file has a path of its own, in a leaf that the folders of its tree contain") {
  for (const bool shared : {true, false}) {
    for (const auto& [depth, branch] : {std::pair(0, 1), {1, 3}, {3, 2}, {4, 1}}) {
      const Places places{shared, depth, branch, 13, 3};
      std::set<std::string> all;
      for (int writer = 0; writer < places.ranks; ++writer) {
        const std::vector<std::string> folders = places.folders(writer), paths = places.paths(writer);
        for (int i = 0; i < places.files; ++i) {
          const std::string& path = paths[static_cast<std::size_t>(i)];
          CHECK(path == places.path({writer, i}));
          const std::size_t cut = path.rfind('/');
          CHECK(std::set(folders.begin(), folders.end()).contains(path.substr(0, cut)));
          CHECK(places.made(path.substr(cut + 1)) == Made{writer, i});
          all.insert(path);
        }
      }
      CHECK(all.size() == 39);
    }
  }
}

TEST_CASE("a tree of depth 3 with 2 folders a folder") {
  const Places places{false, 3, 2, 20, 4};
  CHECK(places.leaves() == 8);
  CHECK(places.folders(3).size() == 1 + 2 + 4 + 8);
  CHECK(places.folders(3)[1] == "t.3/d0");
  CHECK(places.leaf(3, 6) == "t.3/d1/d1/d0");
  CHECK(places.path({3, 14}) == "t.3/d1/d1/d0/f.3.14");  // 14 mod 8 = 6
  std::set<std::string> leaves;
  for (int i = 0; i < 8; ++i) leaves.insert(places.leaf(3, i));
  const std::vector<std::string> folders = places.folders(3);
  CHECK(leaves == std::set(folders.end() - 8, folders.end()));
}

TEST_CASE("names that no rank makes are no files of the launch") {
  const Places places{true, 0, 1, 10, 2};
  CHECK(places.made("f.1.9") == Made{1, 9});
  for (const char* name :
       {"f.2.0", "f.1.10", "f.-1.0", "f.1", "f.1.", "f.1.9x", "f.01.9", "g.1.9", "", "f.1.99999999999"}) {
    CHECK_FALSE(places.made(name).has_value());
  }
}

TEST_CASE("the number of leaves is bounded") {
  CHECK(Places{true, 12, 2}.leaves() == 4096);
  CHECK(Places{true, 13, 2}.leaves() > Places::most_leaves);
  CHECK(Places{true, 16, 64}.leaves() > Places::most_leaves);
}

}  // namespace
