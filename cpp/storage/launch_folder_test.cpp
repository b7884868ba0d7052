// Only what is ours is written and removed; links and other people's files stay.
#include "storage/launch_folder.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>

#include "base/error.hpp"
#include "testing/plant.hpp"

namespace fs = std::filesystem;
using namespace tenken;
using namespace tenken::storage;

namespace {

// A root in a temporary folder, beside a folder that stands for other people's.
struct Place {
  testing::PlantedTree tree;
  SystemCalls system;
  fs::path root = tree.root() / "root", outside = tree.root() / "outside";
  fs::path own = root / ("tenken-" + std::to_string(geteuid()));

  Place() {
    fs::create_directories(root);
    fs::permissions(root, fs::perms::owner_all);
    tree.write("outside/precious", "not ours");
  }
  LaunchFolder start(const std::string& name = new_launch_name("host")) { return {system, root.string(), name}; }
  bool outside_is_whole() const { return fs::exists(outside / "precious"); }
};

void make_file(const LaunchFolder& folder, const char* name) {
  const int file = openat(folder.descriptor(), name, O_CREAT | O_WRONLY, 0600);
  REQUIRE(file >= 0);
  close(file);
}

// What a killed launch leaves: its folder and a lock that nobody holds.
std::string dead_launch(const Place& place, const std::string& host = "host") {
  const std::string name = new_launch_name(host);
  fs::create_directories(place.own / name);
  fs::permissions(place.own, fs::perms::owner_all);
  std::ofstream(place.own / (name + ".lock"));
  std::ofstream(place.own / name / "data");
  return name;
}

// A test takes one of what another user would have.
struct OtherUser : SystemCalls {
  uid_t user() const override { return geteuid() + 1; }
};

struct NoLocks : SystemCalls {
  int lock(int, int) override {
    errno = ENOLCK;
    return -1;
  }
};

std::string refusal(SystemCalls& system, const std::string& root, ExitCode code = ExitCode::refused) {
  try {
    const LaunchFolder folder(system, root, new_launch_name("host"));
  } catch (const UserError& error) {
    CHECK(error.code() == code);
    return error.what();
  }
  return "";
}

TEST_CASE("a launch leaves nothing in its root") {
  Place place;
  {
    const LaunchFolder folder = place.start();
    make_file(folder, "data");
    CHECK(fs::exists(folder.path() + "/data"));
    CHECK((fs::status(folder.path()).permissions() & (fs::perms::group_all | fs::perms::others_all)) ==
          fs::perms::none);
  }
  CHECK(fs::is_empty(place.root));
}

TEST_CASE("the last process of a launch removes its folder") {
  Place place;
  const std::string name = new_launch_name("host");
  std::optional<LaunchFolder> first, second;
  first.emplace(place.system, place.root.string(), name);
  second.emplace(place.system, place.root.string(), name);
  make_file(*first, "data");
  first->leave(false);
  CHECK(fs::exists(place.own / name / "data"));
  second->leave(false);
  CHECK(fs::is_empty(place.root));
}

TEST_CASE("folders of dead launches are removed, those of live ones stay") {
  Place place;
  const std::string dead = dead_launch(place);
  const LaunchFolder alive = place.start();
  make_file(alive, "data");
  LaunchFolder next = place.start();
  const Earlier earlier = next.remove_earlier("host");
  CHECK((earlier.removed == 1 && earlier.alive == 1 && earlier.left == 0));
  CHECK_FALSE(fs::exists(place.own / dead));
  CHECK_FALSE(fs::exists(place.own / (dead + ".lock")));
  CHECK(fs::exists(alive.path() + "/data"));
}

TEST_CASE("folders of other hosts are left alone") {
  Place place;
  const std::string dead = dead_launch(place, "elsewhere");
  LaunchFolder next = place.start();
  CHECK(next.remove_earlier("host").other_hosts == 1);
  CHECK(fs::exists(place.own / dead / "data"));
}

TEST_CASE("what is no launch stays where it is") {
  Place place;
  dead_launch(place);
  fs::create_directories(place.own / "notes");
  for (const char* name : {"notes/mine", "mine.lock", "host+0123.lock", "host+0123456789abcdeX.lock"})
    std::ofstream(place.own / name);
  place.start().remove_earlier("host");
  for (const char* name : {"notes/mine", "mine.lock", "host+0123.lock", "host+0123456789abcdeX.lock"})
    CHECK(fs::exists(place.own / name));
}

TEST_CASE("removal follows no link out of the folder") {
  Place place;
  const std::string dead = dead_launch(place);
  fs::create_directories(place.own / dead / "a/b");
  fs::create_directory_symlink(place.outside, place.own / dead / "folder");
  fs::create_directory_symlink(place.outside, place.own / dead / "a/b/folder");
  fs::create_symlink(place.outside / "precious", place.own / dead / "file");
  fs::create_hard_link(place.outside / "precious", place.own / dead / "a/hard");
  CHECK(place.start().remove_earlier("host").removed == 1);
  CHECK(place.outside_is_whole());
  CHECK(fs::is_empty(place.root));
}

TEST_CASE("a link in place of a launch or its lock is not followed") {
  Place place;
  const std::string first = new_launch_name("host"), second = new_launch_name("host");
  fs::create_directories(place.own);
  fs::permissions(place.own, fs::perms::owner_all);
  std::ofstream(place.own / (first + ".lock"));
  fs::create_directory_symlink(place.outside, place.own / first);
  fs::create_symlink(place.outside / "precious", place.own / (second + ".lock"));
  const Earlier earlier = place.start().remove_earlier("host");
  CHECK((earlier.removed == 0 && earlier.left == 2));
  CHECK(place.outside_is_whole());
  CHECK_THROWS_WITH_AS(place.start(first), doctest::Contains("is no folder that belongs to user"), UserError);
  CHECK_THROWS_AS(place.start(second), UserError);
  CHECK(place.outside_is_whole());
}

TEST_CASE("files of another user in the folder of a dead launch stay") {
  if (geteuid() != 0) return;  // only root can give files away
  Place place;
  const std::string dead = dead_launch(place);
  fs::create_directories(place.own / dead / "sub");
  std::ofstream(place.own / dead / "sub/other");
  REQUIRE(chown((place.own / dead / "sub/other").c_str(), 12345, 12345) == 0);
  CHECK(place.start().remove_earlier("host").left == 1);
  CHECK(fs::exists(place.own / dead / "sub/other"));
  CHECK_FALSE(fs::exists(place.own / dead / "data"));
}

TEST_CASE("the folder tenken-USER must be ours alone") {
  Place place;
  fs::create_directory_symlink(place.outside, place.own);
  CHECK_THROWS_WITH_AS(place.start(), doctest::Contains("move it away or name another root"), UserError);
  fs::remove(place.own);
  fs::create_directories(place.own);
  fs::permissions(place.own, fs::perms::all);
  CHECK_THROWS_AS(place.start(), UserError);
  fs::permissions(place.own, fs::perms::owner_all);
  CHECK_NOTHROW(place.start());
  CHECK(place.outside_is_whole());
}

TEST_CASE("a root in which another user may rename everything is refused") {
  Place place;
  OtherUser other;
  fs::permissions(place.root, fs::perms::all);
  CHECK(refusal(other, place.root.string()).find("every user may rename its entries") != std::string::npos);
  fs::permissions(place.root, fs::perms::all | fs::perms::sticky_bit);
  CHECK(refusal(other, place.root.string()).find("every user may rename") == std::string::npos);
}

TEST_CASE("a bad root is refused in a sentence that names it") {
  Place place;
  SystemCalls system;
  std::ofstream(place.root / "file");
  CHECK(refusal(system, (place.root / "none").string())
            .starts_with("root " + place.root.string() + "/none: No such file"));
  CHECK(refusal(system, (place.root / "file").string()).find("Not a directory; name a folder") != std::string::npos);
  struct Full : SystemCalls {
    int error = 0;
    int make_folder(int, const char*, mode_t) override {
      errno = error;
      return -1;
    }
  } full;
  full.error = EROFS;
  CHECK(refusal(full, place.root.string()).find("Read-only file system") != std::string::npos);
  full.error = ENOSPC;
  CHECK(refusal(full, place.root.string(), ExitCode::impossible).find("No space left on device") != std::string::npos);
}

TEST_CASE("where no lock works only old folders of this host are removed, and the last rank cleans up") {
  Place place;
  NoLocks system;
  const std::string young = dead_launch(place), old = dead_launch(place);
  fs::last_write_time(place.own / (old + ".lock"), fs::file_time_type::clock::now() - std::chrono::hours(25));
  LaunchFolder folder(system, place.root.string(), new_launch_name("host"));
  CHECK_FALSE(folder.locks());
  const Earlier earlier = folder.remove_earlier("host");
  CHECK((earlier.removed == 1 && earlier.left == 1));
  CHECK((fs::exists(place.own / young) && !fs::exists(place.own / old)));
  const std::string path = folder.path();
  folder.leave(true);
  CHECK_FALSE(fs::exists(path));
}

TEST_CASE("launches that come and go at once never fail") {
  Place place;
  for (int i = 0; i < 50; ++i) {
    LaunchFolder a = place.start();
    LaunchFolder b = place.start();
    a.leave(false);
    b.remove_earlier("host");
  }
  CHECK(fs::is_empty(place.root));
}

TEST_CASE("names that a shell or a terminal would stumble over are removed") {
  Place place;
  const std::string dead = dead_launch(place);
  std::ofstream(place.own / dead / "two\nlines");
  std::ofstream(place.own / dead / std::string(255, 'x'));
  CHECK(place.start().remove_earlier("host").removed == 1);
  CHECK(fs::is_empty(place.root));
}

}  // namespace
