#include <doctest/doctest.h>

#include <numeric>
#include <vector>

#include "card_operation.hpp"

using namespace mpi_collectives;

namespace {

struct Ranks {
  Ranks() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
  }
  int rank = 0, size = 1;
};

struct Fixture {
  Fixture(Kind kind, std::int64_t bytes, bool staged)
      : operation(make_card_operation(kind, MPI_COMM_WORLD, bytes, {*card, carrier.get(), staged, place})) {}
  std::unique_ptr<device::Device> card = device::on_host::make_device(0);
  std::unique_ptr<Carrier> carrier = carried_by_mpi(MPI_COMM_WORLD);
  WrongPlace place;
  std::unique_ptr<Operation> operation;
  std::vector<std::int64_t> by_source = std::vector<std::int64_t>(static_cast<std::size_t>(Ranks().size));
};

constexpr Kind kinds[] = {Kind::allreduce, Kind::alltoall};

}  // namespace

TEST_CASE("sums and pieces between cards are right by either route, at sizes of both kinds of numbers") {
  for (const Kind kind : kinds) {
    for (const bool staged : {false, true}) {
      for (const std::int64_t bytes : {4, 8, 100, 4096, 100004}) {
        Fixture of(kind, bytes, staged);
        for (std::uint64_t sample = 1; sample <= 2; ++sample) {
          of.operation->prepare(sample);
          of.operation->run();
          CHECK(of.operation->wrong(of.by_source) == 0);
        }
        CHECK(of.place.size == 0);
        const tenken::Work work = of.operation->work();
        const std::int64_t whole =
            kind == Kind::allreduce ? bytes : 4 * Ranks().size * std::max<std::int64_t>(1, bytes / 4 / Ranks().size);
        CHECK(work.bytes_read == whole);
        CHECK(work.bytes_written == whole);
      }
    }
  }
}

TEST_CASE("results of an earlier sample are wrong on all ranks, and a spoiled operand of the last rank is detected") {
  const Ranks ranks;
  for (const Kind kind : kinds) {
    for (const bool staged : {false, true}) {
      for (const std::int64_t bytes : {1000, 1004}) {
        Fixture of(kind, bytes, staged);
        of.operation->prepare(1);
        of.operation->run();
        of.operation->prepare(2);
        CHECK(of.operation->wrong(of.by_source) > 100);
        CHECK(of.place.size == bytes);

        Fixture spoiled(kind, bytes, staged);
        spoiled.operation->prepare(3);
        if (ranks.rank == ranks.size - 1) spoiled.operation->spoil();
        spoiled.operation->run();
        const std::int64_t wrong = spoiled.operation->wrong(spoiled.by_source);
        std::int64_t all = 0;
        MPI_Allreduce(&wrong, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        CHECK(all == (kind == Kind::alltoall ? 1 : (bytes % 8 == 0 ? 8 : 4) * ranks.size));
        if (kind == Kind::alltoall) {
          CHECK(std::accumulate(spoiled.by_source.begin(), spoiled.by_source.end(), std::int64_t{0}) == wrong);
          CHECK(spoiled.by_source.back() == wrong);
        } else {
          CHECK(spoiled.place.word == bytes / (bytes % 8 == 0 ? 8 : 4) / 2);
        }
      }
    }
  }
}
