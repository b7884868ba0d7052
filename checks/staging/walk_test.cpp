#include "walk.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "testing/plant.hpp"

namespace fs = std::filesystem;
using namespace tenken;
using namespace staging;

namespace {

// The tree of tree_of() below "tree" in a folder.
struct OnDisk {
  testing::PlantedTree folder;
  std::vector<Entry> tree = tree_of({.large = 1, .large_bytes = 10, .small = 2, .small_bytes = 3, .depth = 2});
  int descriptor;
  storage::SystemCalls system;

  OnDisk() {
    fs::create_directories(folder.root() / "tree");
    for (const Entry& entry : tree) {
      const std::string path = "tree/" + entry.path;
      if (entry.kind == Entry::Kind::folder) fs::create_directory(folder.root() / path);
      if (entry.kind == Entry::Kind::link) fs::create_symlink(entry.target, folder.root() / path);
      if (entry.kind == Entry::Kind::file)
        std::ofstream(folder.root() / path) << std::string(static_cast<std::size_t>(entry.bytes), 'x');
    }
    descriptor = open(folder.root().c_str(), O_RDONLY | O_DIRECTORY);
    REQUIRE(descriptor >= 0);
  }
  ~OnDisk() { close(descriptor); }
  OnDisk(const OnDisk&) = delete;
  OnDisk& operator=(const OnDisk&) = delete;

  std::vector<Entry> walked() { return walk(system, descriptor, "tree"); }
  void stops(const char* words) { CHECK_THROWS_WITH_AS(walked(), doctest::Contains(words), UserError); }
};

TEST_CASE("a walk finds every entry with kind, bytes, number and target") {
  OnDisk on_disk;
  auto sorted = [](std::vector<Entry> entries) {
    std::ranges::sort(entries, {}, &Entry::path);
    return entries;
  };
  const std::vector<Entry> found = on_disk.walked();
  CHECK(sorted(found) == sorted(on_disk.tree));
  CHECK(found == on_disk.walked());
}

TEST_CASE("a link that leads out, a pipe and a missing tree stop the walk") {
  OnDisk on_disk;
  const fs::path link = on_disk.folder.root() / "tree/small/out";
  for (const char* target : {"/etc/passwd", "../../outside", "../deep/../../outside"}) {
    fs::create_symlink(target, link);
    on_disk.stops("tree entry small/out: the link to");
    fs::remove(link);
  }
  REQUIRE(mkfifo(link.c_str(), 0600) == 0);
  on_disk.stops("tree entry small/out: it is no file, folder or link");
  fs::remove_all(on_disk.folder.root() / "tree");
  on_disk.stops("tree entry tree: No such file or directory");
}

TEST_CASE("targets inside of the tree") {
  for (const auto& [path, target] :
       {std::pair("a/b/link", "../c"), {"a/b/link", "../../c"}, {"link", "c/d"}, {"link", "."}}) {
    CHECK_FALSE(leads_out(path, target));
  }
  for (const auto& [path, target] :
       {std::pair("a/b/link", "../../../c"), {"link", ".."}, {"link", "c/.."}, {"link", "/"}}) {
    CHECK(leads_out(path, target));
  }
}

}  // namespace
