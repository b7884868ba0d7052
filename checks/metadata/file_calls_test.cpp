// Operations on files in a temporary folder: counted by brute force, and by an independent walk of the folder.
#include "file_calls.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>
#include <vector>

#include "base/error.hpp"
#include "listing.hpp"
#include "places.hpp"
#include "planted_calls.hpp"

namespace fs = std::filesystem;
using namespace metadata;

namespace {

class Folder {
 public:
  Folder() {
    std::array<char, 64> name{"/tmp/tenken-metadata-XXXXXX"};
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name.data();
    descriptor_ = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  }
  ~Folder() {
    close(descriptor_);
    fs::remove_all(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }
  int descriptor() const { return descriptor_; }
  int files() const {  // the plain twin of Listing
    int count = 0;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path_)) count += entry.is_regular_file();
    return count;
  }
  void make(const Places& places) const {
    for (int writer = 0; writer < (places.shared ? 1 : places.ranks); ++writer) {
      for (const std::string& folder : places.folders(writer)) fs::create_directory(path_ + "/" + folder);
    }
  }

 private:
  std::string path_;
  int descriptor_ = -1;
};

struct CountedCalls : tenken::storage::SystemCalls {
  std::map<std::string, int> calls;
  std::string counts() const {
    std::string all;
    for (const auto& [name, count] : calls) all += (all.empty() ? "" : ", ") + name + " " + std::to_string(count);
    return all;
  }
  int open_at(int folder, const char* name, int flags, mode_t mode) override {
    ++calls[(flags & O_CREAT) != 0 ? "create" : "open"];
    return SystemCalls::open_at(folder, name, flags, mode);
  }
  int status_at(int folder, const char* name, struct stat& into) override {
    ++calls["stat"];
    return SystemCalls::status_at(folder, name, into);
  }
  int remove(int folder, const char* name, int flags) override {
    ++calls["remove"];
    return SystemCalls::remove(folder, name, flags);
  }
  int close(int file) override {
    ++calls["close"];
    return SystemCalls::close(file);
  }
  ssize_t write(int file, const void* from, std::size_t bytes, off_t at) override {
    ++calls["write"];
    return SystemCalls::write(file, from, std::min<std::size_t>(bytes, 1000), at);  // short counts
  }
  ssize_t read(int file, void* into, std::size_t bytes, off_t at) override {
    ++calls["read"];
    return SystemCalls::read(file, into, std::min<std::size_t>(bytes, 2000), at);
  }
};

Listing listed(tenken::storage::SystemCalls& system, const Folder& folder, const Places& places) {
  Listing listing(places.ranks);
  for (int writer = 0; writer < (places.shared ? 1 : places.ranks); ++writer) {
    for (int leaf = 0; leaf < places.leaves(); ++leaf) {
      list_into(listing, system, folder.descriptor(), places.leaf(writer, leaf), places);
    }
  }
  return listing;
}

TEST_CASE("an operation is one call of its kind, and the folders list what a walk finds") {
  for (const bool shared : {true, false}) {
    for (const std::int64_t bytes : {0, 3901}) {
      const Folder folder;
      const Places places{shared, 2, 3, 20, 2};
      folder.make(places);
      CountedCalls system;
      FileCalls calls(system, folder.descriptor(), "rank 0 on n0");
      std::vector<std::byte> data(static_cast<std::size_t>(bytes), std::byte{7}), got(data.size());
      for (int writer = 0; writer < 2; ++writer) {
        for (const std::string& path : places.paths(writer)) calls.create(path, data.data(), bytes);
      }
      CHECK(folder.files() == 40);
      CHECK(system.counts() == "close 40, create 40" + std::string(bytes > 0 ? ", write 160" : ""));
      Listing listing = listed(system, folder, places);
      CHECK(listing.of_writer == std::vector<std::int64_t>{20, 20});
      CHECK(listing.all() == folder.files());
      system.calls.clear();
      for (const std::string& path : places.paths(1)) {
        const Seen of = calls.stat(path);
        CHECK((of.answer == Seen::Answer::file && of.bytes == bytes));
      }
      CHECK(system.counts() == "stat 20");
      system.calls.clear();
      for (const std::string& path : places.paths(1)) {
        std::fill(got.begin(), got.end(), std::byte{0});
        const Seen of = calls.read(path, got.data(), bytes);
        CHECK((of.answer == Seen::Answer::file && of.bytes == bytes && got == data));
      }
      CHECK(system.counts() == "close 20, open 20" + std::string(bytes > 0 ? ", read 40" : ""));
      system.calls.clear();
      for (const std::string& path : places.paths(1)) CHECK(calls.remove(path));
      CHECK(system.counts() == "remove 20");
      CHECK(folder.files() == 20);
      CHECK(listed(system, folder, places).of_writer == std::vector<std::int64_t>{20, 0});
      CHECK_NOTHROW(calls.require());
    }
  }
}

TEST_CASE("missing files are answers, strange entries are counted, other errors stop") {
  const Folder folder;
  const Places places{true, 0, 1, 4, 1};
  folder.make(places);
  tenken::storage::SystemCalls system;
  FileCalls calls(system, folder.descriptor(), "rank 0 on n0");
  CHECK(calls.stat("t/f.0.0").answer == Seen::Answer::missing);
  CHECK(calls.read("t/f.0.0", nullptr, 0).answer == Seen::Answer::missing);
  CHECK_FALSE(calls.remove("t/f.0.0"));
  CHECK_NOTHROW(calls.require());
  fs::create_directory_symlink("/", folder.path() + "/t/f.0.1");
  std::ofstream(folder.path() + "/t/f.0.4").put('x');
  CHECK(calls.stat("t/f.0.1").answer == Seen::Answer::nothing);  // a link is no file
  CHECK(listed(system, folder, places).strange == 1);
  std::ofstream(folder.path() + "/t/f.0.2").put('x');
  calls.create("t/f.0.2", nullptr, 0);  // there already: never opened
  CHECK_THROWS_WITH_AS(calls.require(), doctest::Contains("rank 0 on n0, file t/f.0.2: File exists (create)"),
                       tenken::UserError);
  calls.create("t/f.0.3", nullptr, 0);
  CHECK_FALSE(fs::exists(folder.path() + "/t/f.0.3"));
}

TEST_CASE("failures of each call are named with rank, file and phase") {
  const Folder folder;
  folder.make({true, 0, 1, 1, 1});
  struct Failing : tenken::storage::SystemCalls {
    std::string which;
    int error = EIO;
    int fail() const { return errno = error, -1; }
    ssize_t write(int, const void*, std::size_t bytes, off_t) override {
      return which == "write" ? fail() : static_cast<ssize_t>(which == "wrote nothing" ? 0 : bytes);
    }
    ssize_t read(int, void*, std::size_t, off_t) override { return fail(); }
    int close(int file) override { return SystemCalls::close(file), which == "close" ? fail() : 0; }
    int sync(int) override { return fail(); }
    int status_at(int, const char*, struct stat&) override { return fail(); }
    int remove(int, const char*, int) override { return fail(); }
  } system;
  const std::byte byte{};
  std::byte into{};
  std::ofstream(folder.path() + "/t/there").put('x');
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"write", "Input/output error (write)"},
      {"wrote nothing", "the system wrote nothing (write)"},
      {"close", "Input/output error (close)"},
      {"stat", "Input/output error (stat)"},
      {"read", "Input/output error (read)"},
      {"remove", "Input/output error (remove)"},
      {"sync", "Input/output error (fsync of the folder); name another root or choose --sync false"}};
  for (const auto& [which, sentence] : cases) {
    system.which = which;
    FileCalls calls(system, folder.descriptor(), "rank 2 on n1");
    if (which == "stat") calls.stat("t/there");
    if (which == "read") calls.read("t/there", &into, 1);
    if (which == "remove") calls.remove("t/there");
    if (which == "sync") calls.sync_folder("t");
    if (which == "write" || which == "wrote nothing" || which == "close") calls.create("t/" + which, &byte, 1);
    CHECK_THROWS_WITH_AS(calls.require(), doctest::Contains(sentence.c_str()), tenken::UserError);
    CHECK_THROWS_WITH_AS(calls.require(), doctest::Contains("rank 2 on n1, file t"), tenken::UserError);
  }
}

TEST_CASE("planted calls that do nothing answer as if they did") {
  const Folder folder;
  folder.make({true, 0, 1, 4, 1});
  std::byte into{9};
  {
    PlantedCalls idle("idle_create", true, 4);
    FileCalls calls(idle, folder.descriptor(), "rank 0 on n0");
    calls.create("t/f.0.0", nullptr, 0);
    CHECK_NOTHROW(calls.require());
    CHECK(folder.files() == 0);
  }
  std::ofstream(folder.path() + "/t/f.0.0").put('x');
  PlantedCalls stat("idle_stat", true, 4), read("idle_read", true, 4), remove("idle_remove", true, 4);
  CHECK(FileCalls(stat, folder.descriptor(), "").stat("t/f.0.0").answer == Seen::Answer::nothing);
  CHECK(FileCalls(read, folder.descriptor(), "").read("t/f.0.0", &into, 1).bytes == 1);
  CHECK(into == std::byte{9});
  CHECK(FileCalls(remove, folder.descriptor(), "").remove("t/f.0.0"));
  CHECK(folder.files() == 1);
  PlantedCalls elsewhere("idle_remove", false, 4);
  CHECK(FileCalls(elsewhere, folder.descriptor(), "").remove("t/f.0.0"));
  CHECK(folder.files() == 0);
}

}  // namespace
