// Only files of launches are written and removed; links and files of other programs stay.
#include "storage/launch_folder.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mount.h>
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

const std::string boot = "01234567";  // of the operating system

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
  LaunchFolder start(const std::string& name = new_launch_name("host", boot)) { return {system, root.string(), name}; }
  bool outside_is_whole() const { return fs::exists(outside / "precious"); }
};

void make_file(const LaunchFolder& folder, const char* name) {
  const int file = openat(folder.descriptor(), name, O_CREAT | O_WRONLY, 0600);
  REQUIRE(file >= 0);
  close(file);
}

// What a killed launch leaves: its folder and a lock that nobody holds.
std::string dead_launch(const Place& place, const std::string& host = "host", const std::string& since = boot) {
  const std::string name = new_launch_name(host, since);
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
    const LaunchFolder folder(system, root, new_launch_name("host", boot));
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
  const std::string name = new_launch_name("host", boot);
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
  const Earlier earlier = next.remove_earlier("host", boot);
  CHECK((earlier.removed == 1 && earlier.alive == 1 && earlier.left == 0));
  CHECK_FALSE(fs::exists(place.own / dead));
  CHECK_FALSE(fs::exists(place.own / (dead + ".lock")));
  CHECK(fs::exists(alive.path() + "/data"));
}

TEST_CASE(
    "on a file system that other hosts may have, a free lock decides only for launches since the start of this host") {
  for (const std::int64_t type : {0x6969, 0x65735546, 0x1234}) {  // NFS, FUSE, not known
    Place place;
    struct Network : SystemCalls {
      std::int64_t type = 0;
      std::int64_t file_system(int) override { return type; }
    } system;
    system.type = type;
    const std::string elsewhere = dead_launch(place, "elsewhere"), here = dead_launch(place);
    const std::string before = dead_launch(place, "host", "89abcdef"), old = dead_launch(place, "host", "89abcdef");
    fs::last_write_time(place.own / (old + ".lock"), fs::file_time_type::clock::now() - std::chrono::hours(25));
    LaunchFolder next(system, place.root.string(), new_launch_name("host", boot));
    const Earlier earlier = next.remove_earlier("host", boot);
    CHECK((earlier.other_hosts == 1 && earlier.removed == 2 && earlier.left == 1));
    CHECK((fs::exists(place.own / elsewhere / "data") && fs::exists(place.own / before / "data")));
    CHECK((!fs::exists(place.own / here) && !fs::exists(place.own / old)));
  }
}

TEST_CASE("where no lock works, a launch that renewed its folder today stays") {
  Place place;
  NoLocks system;
  LaunchFolder alive(system, place.root.string(), new_launch_name("host", boot));
  make_file(alive, "data");
  const fs::path lock = alive.path() + ".lock";
  const auto make_old = [&] { fs::last_write_time(lock, fs::file_time_type::clock::now() - std::chrono::hours(25)); };
  make_old();
  alive.renew();
  CHECK(LaunchFolder(system, place.root.string(), new_launch_name("host", boot)).remove_earlier("host", boot).left ==
        1);
  CHECK(fs::exists(alive.path() + "/data"));
  make_old();
  LaunchFolder next(system, place.root.string(), new_launch_name("host", boot));
  CHECK(next.remove_earlier("host", boot).removed == 1);
}

TEST_CASE("on a file system of this node a free lock decides, also for a launch that another node named") {
  Place place;
  struct Local : SystemCalls {
    std::int64_t file_system(int) override { return 0xEF53; }
  } system;
  dead_launch(place, "elsewhere", "89abcdef");
  LaunchFolder(system, place.root.string(), new_launch_name("host", boot)).remove_earlier("host", boot);
  CHECK(fs::is_empty(place.root));
}

TEST_CASE("the start of the operating system is part of a name") {
  const testing::PlantedTree tree;
  CHECK(start_of_system(Tree(tree.root())) == "00000000");
  tree.write("proc/sys/kernel/random/boot_id", "6a1f0c22-5b7e-4d0e-9f53-0242ac120002");
  CHECK(start_of_system(Tree(tree.root())) == "6a1f0c22");
  CHECK(new_launch_name("a+b/c", "6a1f0c22").starts_with("a_b_c+6a1f0c22+"));
}

TEST_CASE("a start that fails leaves nothing") {
  struct Full : SystemCalls {
    int left = 0;  // folders and files that can still be made
    int make_folder(int folder, const char* name, mode_t mode) override {
      return fits() ? SystemCalls::make_folder(folder, name, mode) : -1;
    }
    int open_at(int folder, const char* name, int flags, mode_t mode) override {
      return (flags & O_CREAT) == 0 || fits() ? SystemCalls::open_at(folder, name, flags, mode) : -1;
    }
    bool fits() {
      errno = ENOSPC;
      return left-- > 0;
    }
  } system;
  for (int most = 0; most < 3; ++most) {
    Place place;
    system.left = most;
    CHECK_THROWS_WITH_AS(LaunchFolder(system, place.root.string(), new_launch_name("host", boot)),
                         doctest::Contains("No space left on device"), UserError);
    CHECK(fs::is_empty(place.root));
  }
}

TEST_CASE("a folder that cannot be removed stays with its lock, and the next start removes both") {
  Place place;
  struct Stuck : SystemCalls {
    bool stuck = true;
    int remove(int folder, const char* name, int flags) override {
      if (!stuck || std::string(name) != "data") return SystemCalls::remove(folder, name, flags);
      errno = EBUSY;
      return -1;
    }
  } system;
  LaunchFolder folder(system, place.root.string(), new_launch_name("host", boot));
  make_file(folder, "data");
  const std::string path = folder.path();
  folder.leave(true);
  CHECK((fs::exists(path + "/data") && fs::exists(path + ".lock")));
  CHECK(place.start().remove_earlier("host", boot).removed == 1);
  CHECK(fs::is_empty(place.root));
}

TEST_CASE("entries that belong to no launch stay") {
  Place place;
  dead_launch(place);
  fs::create_directories(place.own / "notes");
  for (const char* name :
       {"notes/mine", "mine.lock", "host+0123.lock", "host+0123456789abcdef.lock", "+01234567+0123456789abcdef.lock",
        "host+01234567-0123456789abcdef.lock", "host+01234567+0123456789abcdeX.lock"})
    std::ofstream(place.own / name);
  place.start().remove_earlier("host", boot);
  for (const char* name :
       {"notes/mine", "mine.lock", "host+0123.lock", "host+0123456789abcdef.lock", "+01234567+0123456789abcdef.lock",
        "host+01234567-0123456789abcdef.lock", "host+01234567+0123456789abcdeX.lock"})
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
  CHECK(place.start().remove_earlier("host", boot).removed == 1);
  CHECK(place.outside_is_whole());
  CHECK(fs::is_empty(place.root));
}

// Mounts a folder of the same file system below a launch; false where this user or the system does not permit it.
struct BoundFolder {
  fs::path at;
  bool done;
  BoundFolder(const fs::path& from, fs::path to)
      : at(std::move(to)), done(mount(from.c_str(), at.c_str(), nullptr, MS_BIND, nullptr) == 0) {}
  ~BoundFolder() {
    if (done) umount2(at.c_str(), MNT_DETACH);
  }
  BoundFolder(const BoundFolder&) = delete;
  BoundFolder& operator=(const BoundFolder&) = delete;
};

bool may_mount() {
  const testing::PlantedTree tree;
  fs::create_directories(tree.root() / "to");
  return BoundFolder(tree.root(), tree.root() / "to").done;
}

TEST_CASE("removal does not enter a folder of elsewhere that is mounted in a launch" * doctest::skip(!may_mount())) {
  Place place;
  const std::string dead = dead_launch(place);
  fs::create_directories(place.own / dead / "bound");
  const BoundFolder bound(place.outside, place.own / dead / "bound");
  REQUIRE(bound.done);
  CHECK(place.start().remove_earlier("host", boot).left == 1);
  CHECK(place.outside_is_whole());
}

TEST_CASE("removal does not enter a folder whose mount has another number") {
  Place place;
  const std::string dead = dead_launch(place);
  struct Mounts : SystemCalls {
    std::uint64_t next = 0;
    std::optional<std::uint64_t> mount(int) override { return ++next; }
  } system;
  LaunchFolder next(system, place.root.string(), new_launch_name("host", boot));
  CHECK(next.remove_earlier("host", boot).removed == 0);
  CHECK(fs::exists(place.own / dead / "data"));
}

TEST_CASE("a link in place of a launch or its lock is not followed") {
  Place place;
  const std::string first = new_launch_name("host", boot), second = new_launch_name("host", boot);
  fs::create_directories(place.own);
  fs::permissions(place.own, fs::perms::owner_all);
  std::ofstream(place.own / (first + ".lock"));
  fs::create_directory_symlink(place.outside, place.own / first);
  fs::create_symlink(place.outside / "precious", place.own / (second + ".lock"));
  const Earlier earlier = place.start().remove_earlier("host", boot);
  CHECK((earlier.removed == 0 && earlier.left == 2));
  CHECK(place.outside_is_whole());
  CHECK_THROWS_WITH_AS(place.start(first), doctest::Contains("is no folder that belongs to user"), UserError);
  CHECK_THROWS_AS(place.start(second), UserError);
  CHECK(place.outside_is_whole());
}

// Only root can give files away.
TEST_CASE("files of another user in the folder of a dead launch stay" * doctest::skip(geteuid() != 0)) {
  Place place;
  const std::string dead = dead_launch(place);
  fs::create_directories(place.own / dead / "sub");
  std::ofstream(place.own / dead / "sub/other");
  REQUIRE(chown((place.own / dead / "sub/other").c_str(), 12345, 12345) == 0);
  CHECK(place.start().remove_earlier("host", boot).left == 1);
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
  LaunchFolder folder(system, place.root.string(), new_launch_name("host", boot));
  CHECK_FALSE(folder.locks());
  const Earlier earlier = folder.remove_earlier("host", boot);
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
    b.remove_earlier("host", boot);
  }
  CHECK(fs::is_empty(place.root));
}

TEST_CASE("names that a shell or a terminal would stumble over are removed") {
  Place place;
  const std::string dead = dead_launch(place);
  std::ofstream(place.own / dead / "two\nlines");
  std::ofstream(place.own / dead / std::string(255, 'x'));
  CHECK(place.start().remove_earlier("host", boot).removed == 1);
  CHECK(fs::is_empty(place.root));
}

}  // namespace
