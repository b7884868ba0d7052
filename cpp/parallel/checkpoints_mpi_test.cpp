#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <istream>
#include <ostream>
#include <string>

#include "parallel/checkpoints.hpp"

using namespace tenken;

namespace {

struct World {
  int rank = 0, ranks = 1;
  World() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  }
};

// One folder of all ranks, removed at the end.
struct SharedFolder {
  World world;
  std::filesystem::path path;
  SharedFolder() {
    int number = getpid();
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    path = std::filesystem::temp_directory_path() / ("checkpoints-" + std::to_string(number));
    if (world.rank == 0) std::filesystem::create_directory(path);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  ~SharedFolder() {
    MPI_Barrier(MPI_COMM_WORLD);
    if (world.rank == 0) std::filesystem::remove_all(path);
  }
};

Checkpoints places(const SharedFolder& folder, std::uint64_t input = 7) {
  return {(folder.path / "run").string(),
          {.input = input, .stage = "test", .rank = folder.world.rank, .ranks = folder.world.ranks},
          MPI_COMM_WORLD};
}
void save(Checkpoints& to, std::int64_t step, double value) {
  to.save(step, [&](std::ostream& out) { put(out, &value, 1); });
}

}  // namespace

TEST_CASE("the newest checkpoint that every rank has is loaded") {
  const SharedFolder folder;
  double value = 0;
  const auto read = [&](std::istream& in, std::int64_t) { return get(in, &value, 1); };
  CHECK(places(folder).load(read) == -1);

  Checkpoints writer = places(folder);
  for (const std::int64_t step : {10, 20, 30}) save(writer, step, static_cast<double>(step) + folder.world.rank);
  CHECK(places(folder).load(read) == 30);
  CHECK(value == 30.0 + folder.world.rank);

  // A kill left the newest file of the last rank unwritten: 30 is in the first place, 20 in the second.
  if (folder.world.rank + 1 == folder.world.ranks) {
    std::filesystem::remove(folder.path / ("run.test." + std::to_string(folder.world.rank) + ".a"));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  Checkpoints again = places(folder);
  CHECK(again.load(read) == 20);
  CHECK(value == 20.0 + folder.world.rank);
  save(again, 40, 40.0);  // into the place that is not the one just read
  CHECK(places(folder).load(read) == 40);
}

TEST_CASE(
    "a damaged newest checkpoint of one rank gives way to the one before; two damaged places are refused by all") {
  const SharedFolder folder;
  double value = 0;
  const auto read = [&](std::istream& in, std::int64_t) { return get(in, &value, 1); };
  Checkpoints writer = places(folder);
  for (const std::int64_t step : {10, 20}) save(writer, step, static_cast<double>(step) + folder.world.rank);
  const auto damage = [&](const char* place) {
    if (folder.world.rank + 1 == folder.world.ranks) {
      std::ofstream file(folder.path / ("run.test." + std::to_string(folder.world.rank) + place), std::ios::app);
      file << 'x';
    }
    MPI_Barrier(MPI_COMM_WORLD);
  };
  damage(".b");
  Checkpoints again = places(folder);
  CHECK(again.load(read) == 10);
  CHECK(value == 10.0 + folder.world.rank);
  MPI_Barrier(MPI_COMM_WORLD);
  damage(".a");
  CHECK_THROWS_AS(places(folder).load(read), UserError);
  save(again, 30, 30.0);  // over the damaged one
  CHECK(places(folder).load(read) == 30);
}

TEST_CASE("without a path nothing is written or read") {
  Checkpoints none("", {.stage = "test"}, MPI_COMM_WORLD);
  none.save(1, [](std::ostream&) { FAIL("nothing is to be written"); });
  CHECK(none.load([](std::istream&, std::int64_t) { return true; }) == -1);
}
