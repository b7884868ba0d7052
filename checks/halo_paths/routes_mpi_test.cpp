// Every route brings the same bits: all planes, odd extents, neighbours that are one rank or the rank itself.
#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>
#include <set>
#include <vector>

#include "content.hpp"
#include "cubes.hpp"
#include "report.hpp"
#include "rings.hpp"
#include "route.hpp"
#include "testing/world.hpp"

using namespace halo_paths;
using tenken::testing::world_rank;
using tenken::testing::world_ranks;

namespace {

TEST_CASE("all routes of all planes bring the planes of the neighbours and change nothing else") {
  const int rank = world_rank(), ranks = world_ranks();
  std::int64_t sample = 0;
  for (const std::int64_t n : {4, 5, 8, 33}) {
    Cubes cubes(MPI_COMM_WORLD, n);
    for (const Face face : {Face::xy, Face::xz, Face::yz}) {
      for (const Ring& ring : {ring_of_all(rank, ranks), rings_of(rank, ranks).row, rings_of(rank, ranks).column}) {
        for (int kind = 0; kind < kinds; ++kind) {
          const auto route = make_route(static_cast<Kind>(kind), cubes, {face}, ring, {});
          REQUIRE((route != nullptr || (ranks == 1 && static_cast<Kind>(kind) == Kind::put)));
          if (route == nullptr) continue;
          for (int again = 0; again < 3; ++again) {
            ++sample;
            double* cube = cubes.mine();
            std::fill_n(cube, n * n * n, static_cast<double>(rank));
            for (const Side side : {Side::lower, Side::upper})
              write(cube, source(face, side, n), {sample, rank, face, side});
            std::vector<double> expected(cube, cube + n * n * n);
            MPI_Barrier(MPI_COMM_WORLD);
            route->start(sample);
            route->finish(sample);
            MPI_Barrier(MPI_COMM_WORLD);
            for (const Side side : {Side::lower, Side::upper})
              write(expected.data(), halo(face, side, n), {sample, ring.at(side), face, other(side)});
            CAPTURE(name_of(static_cast<Kind>(kind)));
            CAPTURE(n);
            CHECK(std::equal(expected.begin(), expected.end(), cube));
            MPI_Barrier(MPI_COMM_WORLD);
          }
        }
      }
    }
  }
}

TEST_CASE("two planes at once over every pair of routes") {
  const int rank = world_rank(), ranks = world_ranks();
  const Rings rings = rings_of(rank, ranks);
  constexpr std::int64_t n = 9;
  Cubes cubes(MPI_COMM_WORLD, n);
  std::int64_t sample = 0;
  for (int first = 0; first < kinds; ++first) {
    for (int second = 0; second < kinds; ++second) {
      const auto xy = make_route(static_cast<Kind>(first), cubes, {Face::xy}, rings.column, {});
      const auto xz = make_route(static_cast<Kind>(second), cubes, {Face::xz, apart}, rings.row, {});
      if (xy == nullptr || xz == nullptr) continue;
      ++sample;
      for (const Side side : {Side::lower, Side::upper}) {
        write(cubes.mine(), source(Face::xy, side, n), {sample, rank, Face::xy, side});
        write(cubes.mine(), source(Face::xz, side, n, apart), {sample, rank, Face::xz, side});
      }
      MPI_Barrier(MPI_COMM_WORLD);
      xy->start(sample);
      xz->start(sample);
      xy->finish(sample);
      xz->finish(sample);
      CAPTURE(first);
      CAPTURE(second);
      for (const Side side : {Side::lower, Side::upper}) {
        CHECK(compare(cubes.mine(), halo(Face::xy, side, n), {sample, rings.column.at(side), Face::xy, other(side)})
                  .values == 0);
        CHECK(compare(cubes.mine(), halo(Face::xz, side, n, apart), {sample, rings.row.at(side), Face::xz, other(side)})
                  .values == 0);
      }
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }
}

TEST_CASE("rings are circles of all ranks, of rows and of columns") {
  for (const int ranks : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16}) {
    for (int rank = 0; rank < ranks; ++rank) {
      const Rings rings = rings_of(rank, ranks);
      for (const bool row : {true, false}) {
        const Ring ring = row ? rings.row : rings.column;
        const auto back = [&](int other) { return row ? rings_of(other, ranks).row : rings_of(other, ranks).column; };
        CHECK(back(ring.upper).lower == rank);
        CHECK(back(ring.lower).upper == rank);
      }
    }
  }
  CHECK(grid_of(12).rows == 3);
  CHECK(grid_of(7).rows == 1);
  CHECK(rings_of(5, 12).column.upper == 9);
  CHECK(rings_of(5, 12).row.upper == 6);
}

}  // namespace
