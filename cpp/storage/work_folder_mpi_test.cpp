// All ranks meet in one folder, which is gone when the last leaves.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <string>

#include "parallel/shared_file.hpp"
#include "storage/work_folder.hpp"

namespace fs = std::filesystem;
using namespace tenken;
using namespace tenken::storage;

namespace {

class Root {
 public:
  Root() {
    std::array<char, 64> name{"/tmp/tenken-root-XXXXXX"};
    if (rank_in(MPI_COMM_WORLD) == 0 && mkdtemp(name.data()) == nullptr) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
    path_ = name.data();
  }
  ~Root() {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank_in(MPI_COMM_WORLD) == 0) fs::remove_all(path_);
  }
  Root(const Root&) = delete;
  Root& operator=(const Root&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

int ranks() {
  int count = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  return count;
}

void touch(const WorkFolder& folder, const std::string& name) {
  const int file = openat(folder.descriptor(), name.c_str(), O_CREAT | O_WRONLY, 0600);
  REQUIRE(file >= 0);
  close(file);
}

TEST_CASE("ranks share a folder of one node, and it is gone at the end") {
  const Root root;
  SystemCalls system;
  WorkFolder folder(MPI_COMM_WORLD, system, root.path());
  CHECK(folder.shared());
  CHECK(folder.nodes() == 1);
  CHECK(static_cast<int>(folder.node().size()) == ranks());
  touch(folder, "data." + std::to_string(rank_in(MPI_COMM_WORLD)));
  folder.finish();
  CHECK(fs::is_empty(root.path()));
}

TEST_CASE("without finish, and where no lock works, the folder goes as well") {
  const Root root;
  {
    SystemCalls system;
    const WorkFolder folder(MPI_COMM_WORLD, system, root.path());
    touch(folder, "data." + std::to_string(rank_in(MPI_COMM_WORLD)));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(fs::is_empty(root.path()));
  struct NoLocks : SystemCalls {
    int lock(int, int) override {
      errno = ENOLCK;
      return -1;
    }
  } system;
  WorkFolder folder(MPI_COMM_WORLD, system, root.path());
  touch(folder, "data." + std::to_string(rank_in(MPI_COMM_WORLD)));
  folder.finish();
  CHECK(fs::is_empty(root.path()));
}

TEST_CASE("a folder that other ranks do not see is each node's own") {
  const Root root;
  struct Blind : SystemCalls {
    int open_at(int folder, const char* name, int flags, mode_t mode) override {
      if (std::string(name) == "seen" && (flags & O_CREAT) == 0 && rank_in(MPI_COMM_WORLD) > 0) {
        errno = ENOENT;
        return -1;
      }
      return SystemCalls::open_at(folder, name, flags, mode);
    }
  } system;
  WorkFolder folder(MPI_COMM_WORLD, system, root.path());
  CHECK(folder.shared() == (ranks() == 1));
  folder.finish();
}

TEST_CASE("the space of all ranks together is asked for, and every rank refuses") {
  const Root root;
  struct Small : SystemCalls {
    std::optional<Space> space(int) override { return Space{.total = 1 << 20, .free = 1 << 20}; }
  } system;
  WorkFolder folder(MPI_COMM_WORLD, system, root.path());
  const std::int64_t each = (1 << 20) / ranks();
  CHECK_NOTHROW(folder.require_space(each - 1, 1));
  CHECK_THROWS_WITH_AS(folder.require_space(each + 1, 1), doctest::Contains("choose fewer bytes"), UserError);
  folder.finish();
}

TEST_CASE("files and whole blocks of all ranks together are asked for") {
  const Root root;
  struct Few : SystemCalls {
    std::optional<Space> space(int) override {
      return Space{.total = 1 << 20, .free = 1 << 20, .files = 100, .block = 4096};
    }
  } system;
  WorkFolder folder(MPI_COMM_WORLD, system, root.path());
  const std::int64_t each = 90 / ranks();
  CHECK_NOTHROW(folder.require_files(each, 4096, 1));
  CHECK_THROWS_WITH_AS(folder.require_files(each + 1 + 90 % ranks(), 0, 1), doctest::Contains("choose fewer files"),
                       UserError);
  CHECK_THROWS_WITH_AS(folder.require_files(each, 3 * 4096 + 1, 1), doctest::Contains("choose fewer bytes"), UserError);
  folder.finish();
}

TEST_CASE("of files of different sizes the blocks are added, and the next rank of a node is in a circle") {
  const Root root;
  struct Small : SystemCalls {
    std::optional<Space> space(int) override { return Space{.total = 1 << 20, .free = 1 << 20, .block = 4096}; }
  } system;
  WorkFolder folder(MPI_COMM_WORLD, system, root.path());
  CHECK(folder.next_rank() == (rank_in(MPI_COMM_WORLD) + 1) % ranks());
  const std::int64_t blocks = (1 << 20) / 4096 / ranks();
  CHECK_NOTHROW(folder.require_files({1, 0, 4096 * (blocks - 2)}, 1));
  CHECK_THROWS_WITH_AS(folder.require_files({1, 4097, 4096 * (blocks - 2)}, 1), doctest::Contains("choose fewer bytes"),
                       UserError);
  // Of a rank that makes no file.
  const std::int64_t all_but_one = (1 << 20) - 4096;
  const bool first = rank_in(MPI_COMM_WORLD) == 0;
  CHECK_NOTHROW(folder.require_files(first ? std::vector<std::int64_t>{all_but_one} : std::vector<std::int64_t>{}, 1));
  folder.finish();
}

TEST_CASE("all ranks refuse a root that one of them cannot use") {
  SystemCalls system;
  const std::string mine = rank_in(MPI_COMM_WORLD) == ranks() - 1 ? "/dev/null" : "/tmp";
  CHECK_THROWS_WITH_AS(WorkFolder(MPI_COMM_WORLD, system, mine), doctest::Contains("root /dev/null: Not a directory"),
                       UserError);
}

}  // namespace
