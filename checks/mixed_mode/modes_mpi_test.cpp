// Every mode brings every share to its place, in both patterns, with requests and communicators of both kinds.
#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>

#include "modes.hpp"
#include "testing/world.hpp"

using namespace mixed_mode;
using tenken::testing::world_rank;
using tenken::testing::world_ranks;

int tenken::testing::wanted_thread_level() { return MPI_THREAD_MULTIPLE; }

namespace {

// Modes that the level of the MPI permits.
int permitted() {
  int provided = 0, count = 0;
  MPI_Query_thread(&provided);
  while (count < modes && level_of(static_cast<Mode>(count)) <= provided) ++count;
  return count;
}

TEST_CASE("this MPI permits all modes") { CHECK(permitted() == modes); }

TEST_CASE("all modes bring right shares") {
  constexpr int threads = 3, iterations = 4;
  std::int64_t sample = 0;
  for (const Pattern pattern : {Pattern::pingpong, Pattern::halo}) {
    for (const bool each : {false, true}) {
      for (const bool persistent : {false, true}) {
        for (const std::size_t words : {3, 64, 4097}) {
          Modes of(MPI_COMM_WORLD, threads,
                   {.pattern = pattern, .words = words, .communicators_each = each, .persistent = persistent});
          for (int mode = 0; mode < permitted(); ++mode) {
            of.run(static_cast<Mode>(mode), ++sample, iterations);
            of.verify(static_cast<Mode>(mode), sample, iterations);
            CAPTURE(name_of(static_cast<Mode>(mode)));
            CHECK(of.wrong().shares == 0);
          }
          of.touch(++sample, 2);
          of.regions(2);
        }
      }
    }
  }
}

TEST_CASE("a share of another thread is named by the rank that gets it") {
  const int ranks = world_ranks(), last = ranks - 1;
  Modes::Options options{.pattern = Pattern::halo, .words = 60};
  if (world_rank() == last) options.fault = "wrong_share";
  Modes of(MPI_COMM_WORLD, 3, options);
  for (int mode = 0; mode < permitted(); ++mode) {
    of.run(static_cast<Mode>(mode), 1 + mode, 2);
    of.verify(static_cast<Mode>(mode), 1 + mode, 2);
  }
  const bool neighbour = world_rank() == (last + 1) % ranks || world_rank() == (last + ranks - 1) % ranks;
  CHECK((of.wrong().shares > 0) == neighbour);
  if (!neighbour) return;
  CHECK(of.wrong().thread == 2);
  CHECK(of.wrong().of_thread == 0);
  CHECK(of.wrong().from_rank == last);
}

TEST_CASE("entries are of every exchange and thread, in the order of time") {
  Modes of(MPI_COMM_WORLD, 2, {.pattern = Pattern::halo, .words = 8});
  of.run(Mode::multiple, 1, 5);
  REQUIRE(of.entries().size() == 10);
  for (std::size_t i = 2; i < 10; ++i) CHECK(of.entries()[i] > of.entries()[i - 2]);
}

TEST_CASE("partners agree: what leaves in a direction arrives at the rank that expects it") {
  for (const int ranks : {1, 2, 3, 4, 5, 8}) {
    for (int rank = 0; rank < ranks; ++rank) {
      const Partners ring = partners_of(Pattern::halo, rank, ranks);
      for (int d = 0; d < directions; ++d) {
        CHECK(partners_of(Pattern::halo, ring.to[static_cast<std::size_t>(d)], ranks).from(d) == rank);
      }
      const Partners pair = partners_of(Pattern::pingpong, rank, ranks);
      CHECK(pair.idle() == (ranks % 2 == 1 && rank == ranks - 1));
      if (!pair.idle()) CHECK(partners_of(Pattern::pingpong, pair.to[0], ranks).to[0] == rank);
    }
  }
}

}  // namespace
