#include <doctest/doctest.h>

#include <memory>
#include <vector>

#include "core_round_trip.hpp"
#include "lane.hpp"
#include "late.hpp"
#include "measure/open_sections.hpp"
#include "pairs.hpp"
#include "this_check.hpp"

using namespace mpi_pt2pt;

namespace {

int partner(bool halves) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return partner_of(rank, ranks, halves);
}

constexpr Way ways[] = {Way::blocking, Way::nonblocking, Way::persistent};

}  // namespace

TEST_CASE("messages of every size come as they were sent, in every way and pattern, and come back so") {
  for (const bool halves : {false, true}) {
    const int other = partner(halves);
    if (other == nobody) continue;
    for (const Way way : ways) {
      for (const std::size_t size : {1, 8, 100, 5000, 300000}) {
        Lane lane(MPI_COMM_WORLD, other, size, way);
        std::uint64_t sample = 0;
        for (const int count : {2, 4}) {  // more room is made: requests are made anew
          lane.room(count);
          lane.write(++sample, count);
          lane.meet();
          lane.round_trips(count);
          CHECK((lane.starts() ? lane.wrong_echo(sample, count) : lane.wrong(sample, count)) == 0);
          lane.write(++sample, count);
          lane.one_way(count / 2, 2);
          if (!lane.starts()) CHECK(lane.wrong(sample, count) == 0);
          lane.write(++sample, count);
          lane.both_ways(count / 2, 2);
          CHECK(lane.wrong(sample, count) == 0);
          lane.write(++sample, count);
          for (int i = 0; i < count; ++i) lane.begin_swap(i), lane.end_swap(i);
          CHECK(lane.wrong(sample, count) == 0);
        }
      }
    }
  }
}

TEST_CASE("what came in an earlier sample, or is spoiled, is told from what was sent") {
  const int other = partner(false);
  if (other == nobody) return;
  Lane lane(MPI_COMM_WORLD, other, 64, Way::nonblocking);
  lane.room(2);
  lane.write(1, 2);
  lane.both_ways(1, 2);
  CHECK(lane.wrong(2, 2) > 64);
  CHECK(lane.wrong_echo(1, 2) > 64);  // the partner's are not one's own
  lane.spoil();
  CHECK(lane.wrong(1, 2) == 1);
}

TEST_CASE("several partners at once get their own messages") {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (const Way way : ways) {
    std::vector<std::unique_ptr<Lane>> lanes;
    for (int other = 0; other < ranks; ++other) {
      if (other != rank && (rank == 0 || other == 0))
        lanes.push_back(std::make_unique<Lane>(MPI_COMM_WORLD, other, 70000, way, 2));
    }
    for (auto& lane : lanes) {
      lane->room(1);
      lane->write(7, 1);
    }
    for (auto& lane : lanes) lane->begin_swap(0);
    for (auto& lane : lanes) lane->end_swap(0);
    for (auto& lane : lanes) CHECK(lane->wrong(7, 1) == 0);
  }
}

TEST_CASE("the pair agrees on its round trip between cores, and on how long a send to a late receiver takes") {
  const int other = partner(false);
  CoreRoundTrip cores(MPI_COMM_WORLD, other);
  if (!cores.shared()) return;
  const auto theirs_of = [&](double mine) {
    double theirs = 0;
    MPI_Sendrecv(&mine, 1, MPI_DOUBLE, other, 0, &theirs, 1, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return theirs;
  };
  for (int i = 0; i < 2; ++i) {
    const double ns = cores.nanoseconds();
    CHECK(ns == theirs_of(ns));
    CHECK(ns > 0);
  }
  const tenken::OpenSections watched(this_check::table);
  LateReceiver late(MPI_COMM_WORLD, other, 1 << 20);
  const std::int64_t before = watched.steps();
  CHECK(before >= 4);
  const double us = late.send_us(1 << 20);
  CHECK(watched.steps() == before + 7);  // each send is a step: a search of many is not called hung
  CHECK(us > 0);
  CHECK(us == theirs_of(us));
  CHECK(late.delay_us() == theirs_of(late.delay_us()));
}
