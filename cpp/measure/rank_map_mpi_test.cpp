#include <doctest/doctest.h>
#include <mpi.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/error.hpp"
#include "measure/rank_map.hpp"

using namespace tenken;

namespace {

int rank_in(MPI_Comm comm) {
  int rank = -1;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

}  // namespace

TEST_CASE("ranks are renumbered as the map says") {
  const int place = rank_in(MPI_COMM_WORLD);
  int places = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &places);
  CHECK(mapped(MPI_COMM_WORLD, "") == MPI_COMM_WORLD);
  CHECK(mapped(MPI_COMM_WORLD, "row") == MPI_COMM_WORLD);
  MPI_Comm reversed = mapped(MPI_COMM_WORLD, "reversed");
  if (places > 1) CHECK(rank_in(reversed) == places - 1 - place);
  MPI_Comm_free(&reversed);

  // A file that only rank 0 reads: each place gets the next rank, the last one rank 0.
  const auto file = std::filesystem::temp_directory_path() / ("tenken-rank-map-" + std::to_string(getpid()));
  if (place == 0) {
    std::ofstream out(file);
    for (int i = 0; i < places; ++i) out << (i + 1) % places << "\n";
  }
  MPI_Comm turned = mapped(MPI_COMM_WORLD, file.string());
  CHECK(rank_in(turned) == (place + 1) % places);
  MPI_Comm_free(&turned);

  // What is wrong with it is refused by every rank.
  if (place == 0) std::ofstream(file, std::ios::app) << "0\n";
  try {
    mapped(MPI_COMM_WORLD, file.string());
    FAIL("accepted");
  } catch (const UserError& error) {
    CHECK(error.code() == ExitCode::refused);
    if (place == 0) CHECK(std::string(error.what()).find("rank 0 is there twice") != std::string::npos);
  }
  if (place == 0) std::filesystem::remove(file);
}
