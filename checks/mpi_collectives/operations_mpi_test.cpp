#include <doctest/doctest.h>

#include <vector>

#include "operation.hpp"

using namespace mpi_collectives;

namespace {

struct World {
  World() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    by_source.resize(static_cast<std::size_t>(size));
  }
  int rank = 0;
  int size = 1;
  std::vector<std::int64_t> by_source;
};

std::int64_t of_all(std::int64_t mine) {
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  return mine;
}

constexpr Kind moving[] = {Kind::bcast,      Kind::allreduce, Kind::reduce,
                           Kind::allgatherv, Kind::alltoall,  Kind::neighbour};

}  // namespace

TEST_CASE("every operation gives the right result at every size") {
  World world;
  for (const Kind kind : moving) {
    for (const std::int64_t bytes : {4, 8, 12, 4096, 100000, 2000000}) {
      const auto operation = make_operation(kind, MPI_COMM_WORLD, bytes);
      for (std::uint64_t sample = 1; sample <= 2; ++sample) {
        operation->prepare(sample);
        operation->run();
        CHECK(operation->wrong(world.by_source) == 0);
      }
    }
  }
}

TEST_CASE("results of an earlier sample are not taken for those of this one") {
  World world;
  for (const Kind kind : moving) {
    if (kind == Kind::neighbour && world.size == 1) continue;  // it has none
    const auto operation = make_operation(kind, MPI_COMM_WORLD, 96);
    operation->prepare(1);
    operation->run();
    operation->prepare(2);
    // A root has what it has just written.
    const bool stale = operation->wrong(world.by_source) > 0;
    CHECK((of_all(stale ? 1 : 0) > 0) == (kind != Kind::bcast || world.size > 1));
  }
}

TEST_CASE("one wrong byte is found, with whose it was where that can be known") {
  World world;
  const int last = world.size - 1;
  for (const Kind kind : moving) {
    if (kind == Kind::neighbour && world.size == 1) continue;
    const int guilty = kind == Kind::bcast ? 0 : last;
    std::vector<std::int64_t> by_source(world.by_source.size());
    const auto operation = make_operation(kind, MPI_COMM_WORLD, 96);
    operation->prepare(3);
    if (world.rank == guilty) operation->spoil();
    operation->run();
    CHECK(of_all(operation->wrong(by_source)) > 0);
    MPI_Allreduce(MPI_IN_PLACE, by_source.data(), world.size, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    const bool known = kind != Kind::allreduce && kind != Kind::reduce;
    for (int rank = 0; rank < world.size; ++rank) {
      CHECK((by_source[static_cast<std::size_t>(rank)] > 0) == (known && rank == guilty));
    }
  }
}

TEST_CASE("work is what a rank hands over and gets back") {
  World world;
  const auto bcast = make_operation(Kind::bcast, MPI_COMM_WORLD, 64)->work();
  CHECK(of_all(bcast.bytes_written) == (world.size > 1 ? 64 : 0));
  CHECK(of_all(bcast.bytes_read) == 0);
  const auto sum = make_operation(Kind::allreduce, MPI_COMM_WORLD, 64)->work();
  CHECK(of_all(sum.bytes_written) == 64 * world.size);
  CHECK(of_all(sum.bytes_read) == 64 * world.size);
  const auto reduce = make_operation(Kind::reduce, MPI_COMM_WORLD, 64)->work();
  CHECK(of_all(reduce.bytes_read) == 64);
  const auto gather = make_operation(Kind::allgatherv, MPI_COMM_WORLD, 64)->work();
  CHECK(of_all(gather.bytes_written) == 64);
  CHECK(of_all(gather.bytes_read) == 64 * world.size);
  const auto pieces = make_operation(Kind::alltoall, MPI_COMM_WORLD, 64)->work();
  CHECK(of_all(pieces.bytes_written) == of_all(pieces.bytes_read));
  CHECK(pieces.bytes_written == 64 / world.size / 4 * 4 * world.size);
  CHECK(make_operation(Kind::barrier, MPI_COMM_WORLD, 4)->work().messages == 1);
}
