// A file written and read by all ranks at their offsets, and one sentence for all ranks.
#include <doctest/doctest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "parallel/shared_file.hpp"

using namespace tenken;

namespace {

int ranks_of(MPI_Comm comm) {
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  return ranks;
}

// A new folder that all ranks know; rank 0 removes it.
class NewFolder {
 public:
  NewFolder() {
    std::array<char, 64> name{"/tmp/tenken-shared-file-XXXXXX"};
    if (rank_in(MPI_COMM_WORLD) == 0 && mkdtemp(name.data()) == nullptr) std::abort();
    MPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
    path_ = name.data();
  }
  ~NewFolder() {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank_in(MPI_COMM_WORLD) == 0) std::filesystem::remove_all(path_);
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST_CASE("what each rank writes at its offset every rank reads") {
  const NewFolder folder;
  const std::string path = folder.path() + "/file";
  const int rank = rank_in(MPI_COMM_WORLD), ranks = ranks_of(MPI_COMM_WORLD);
  constexpr std::int64_t each = 1000;
  {
    SharedFile file(path, O_WRONLY | O_CREAT);
    REQUIRE(file.is_open());
    const std::vector<std::byte> mine(each, static_cast<std::byte>(rank + 1));
    CHECK(file.write(rank * each, mine));
    CHECK(file.finish());
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const SharedFile file(path, O_RDONLY);
  std::vector<std::byte> all(static_cast<std::size_t>(ranks) * each + 7);
  CHECK(file.read(0, all) == ranks * each);  // it ends there
  for (int other = 0; other < ranks; ++other) {
    CHECK(all[static_cast<std::size_t>(other) * each] == static_cast<std::byte>(other + 1));
    CHECK(all[static_cast<std::size_t>(other) * each + each - 1] == static_cast<std::byte>(other + 1));
  }
  CHECK(file.read(-1, all) == -1);
}

TEST_CASE("all ranks throw what the first rank in trouble throws") {
  const int rank = rank_in(MPI_COMM_WORLD), last = ranks_of(MPI_COMM_WORLD) - 1;
  std::string sentence;
  try {
    together(MPI_COMM_WORLD, [&] {
      if (rank >= last - 1) impossible("rank " + std::to_string(rank) + " has no space");
    });
  } catch (const UserError& error) {
    CHECK(error.code() == ExitCode::impossible);
    sentence = error.what();
  }
  CHECK(sentence == "rank " + std::to_string(last > 0 ? last - 1 : 0) + " has no space");
  CHECK_NOTHROW(together(MPI_COMM_WORLD, [] {}));
}

}  // namespace
