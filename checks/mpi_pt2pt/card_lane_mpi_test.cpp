#include <doctest/doctest.h>

#include <memory>

#include "card_lane.hpp"
#include "pairs.hpp"
#include "peer_lane.hpp"

using namespace mpi_pt2pt;

namespace {

int own_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int partner() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return partner_of(own_rank(), ranks, false);
}

constexpr Route routes[] = {Route::device, Route::staged, Route::peer};

// The cards of a pair on the host, and messages between them.
struct Fixture {
  Fixture(Route route, std::int64_t size) {
    if (route == Route::peer) {
      lane = std::make_unique<PeerLane>(MPI_COMM_WORLD, partner(), size, *card, other.get(), place);
    } else {
      lane = std::make_unique<CardLane>(MPI_COMM_WORLD, partner(), size, *card, route == Route::staged, place);
    }
  }
  std::unique_ptr<device::Device> card = device::on_host::make_device(0), other = device::on_host::make_device(0);
  WrongPlace place;
  std::unique_ptr<Messages> lane;
};

}  // namespace

TEST_CASE("messages between cards come as they were sent, by every route and pattern, and come back so") {
  if (partner() == nobody) return;
  for (const Route route : routes) {
    CAPTURE(static_cast<int>(route));
    for (const std::int64_t size : {1, 8, 100, 5000, 300000}) {
      Fixture of(route, size);
      std::uint64_t sample = 0;
      for (const int count : {2, 4}) {
        of.lane->room(count);
        of.lane->write(++sample, count);
        of.lane->meet();
        of.lane->round_trips(count);
        CHECK(of.lane->wrong_after(Pattern::round_trips, sample, count) == 0);
        of.lane->write(++sample, count);
        of.lane->one_way(count / 2, 2);
        CHECK(of.lane->wrong_after(Pattern::one_way, sample, count) == 0);
        of.lane->write(++sample, count);
        of.lane->both_ways(count / 2, 2);
        CHECK(of.lane->wrong_after(Pattern::both_ways, sample, count) == 0);
      }
      CHECK(of.place.size == 0);
    }
  }
}

TEST_CASE("messages that are not sent anew are wrong on the rank that expects them, in every pattern") {
  if (partner() == nobody) return;
  const bool lower = own_rank() < partner();
  for (const Route route : routes) {
    CAPTURE(static_cast<int>(route));
    Fixture of(route, 64);
    of.lane->room(3);
    of.lane->write(1, 3);
    of.lane->both_ways(1, 3);
    CHECK(of.lane->wrong_after(Pattern::both_ways, 1, 3) == 0);
    CHECK(of.lane->wrong_after(Pattern::both_ways, 2, 3) > 96);
    CHECK(of.lane->wrong_after(Pattern::round_trips, 2, 3) > 96);
    CHECK((of.lane->wrong_after(Pattern::one_way, 2, 3) > 96) == !lower);
    CHECK(of.place.size == 64);
  }
}

TEST_CASE("a byte that is spoiled on one card is counted there, with its place") {
  if (partner() == nobody) return;
  const bool lower = own_rank() < partner();
  for (const Route route : routes) {
    CAPTURE(static_cast<int>(route));
    Fixture of(route, 64);
    of.lane->room(2);
    of.lane->write(1, 2);
    of.lane->both_ways(1, 2);
    if (!lower) of.lane->spoil();
    CHECK(of.lane->wrong_after(Pattern::both_ways, 1, 2) == (lower ? 0 : 1));
    CHECK(of.place.size == (lower ? 0 : 64));
    CHECK(of.place.word == 0);
  }
}
