// Any number of ranks and regions gives the bits of one rank; halos bring the cells that they name.
#include <doctest/doctest.h>
#include <mpi.h>

#include <vector>

#include "alone.hpp"
#include "parallel/exchange.hpp"
#include "testing/world.hpp"

using namespace atmosphere;
using tenken::testing::world_rank;
using tenken::testing::world_ranks;

namespace {

TEST_CASE("halos have the numbers of their cells, on every region level, poles included") {
  const Grid grid = make_grid(3, false);
  for (int level = 0; level <= 3; ++level) {
    const Patch patch = make_patch(grid, {3, level}, world_rank(), world_ranks());
    std::int64_t cells = patch.own;
    MPI_Allreduce(MPI_IN_PLACE, &cells, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    CHECK(cells == grid.size());
    tenken::Exchange exchange(MPI_COMM_WORLD, patch.lists, {{sizeof(double)}});
    std::vector<double> numbers(static_cast<std::size_t>(patch.items()), -1);
    for (std::size_t i = 0; i < static_cast<std::size_t>(patch.own); ++i) numbers[i] = patch.cells[i];
    exchange.pack(0, numbers.data());
    exchange.start();
    exchange.wait_incoming();
    exchange.unpack(0, numbers.data());
    exchange.wait_outgoing();
    for (std::size_t i = 0; i < numbers.size(); ++i) CHECK(numbers[i] == patch.cells[i]);
    for (std::int64_t item = 0; item < patch.own; ++item) {
      const Grid::Cell& of = grid.cells[static_cast<std::size_t>(patch.cells[static_cast<std::size_t>(item)])];
      for (int slot = 0; slot < Grid::most; ++slot) {
        const std::int32_t to = patch.cells[static_cast<std::size_t>(patch.next(slot, item))];
        CHECK(to == (slot < of.neighbours ? of.cell[static_cast<std::size_t>(slot)]
                                          : patch.cells[static_cast<std::size_t>(item)]));
      }
    }
  }
}

TEST_CASE("regions are dealt to the ranks in runs, and each rank finds the owner of a region") {
  for (const int ranks : {1, 2, 3, 7, 10, 40}) {
    const Regions regions{4, 1};
    int last = 0;
    for (int region = 0; region < regions.count(); ++region) {
      const int rank = rank_of_region(regions, region, ranks);
      CHECK((rank == last || rank == last + 1));
      CHECK(first_region(regions, rank, ranks) <= region);
      CHECK((rank + 1 == ranks || first_region(regions, rank + 1, ranks) > region));
      last = rank;
    }
    CHECK(last == ranks - 1);
  }
}

TEST_CASE("steps of any ranks and regions have the bits of one rank") {
  constexpr int level = 4, steps = 4;
  for (const Case which : {Case::steady, Case::mountain}) {
    const Alone on(level, true);
    const Williamson of(which, 0.7);
    const double dt = 600, diffusion = diffusion_of(spacing_of(on.grid).mean * earth_radius, 6);
    Model whole(MPI_COMM_SELF, on.patch, on.operators, of, dt, diffusion);
    whole.start(on.grid, of);
    std::vector<std::size_t> item_of(on.size());
    for (std::size_t i = 0; i < on.size(); ++i) item_of[static_cast<std::size_t>(on.patch.cells[i])] = i;
    for (int i = 0; i < steps; ++i) whole.step();
    for (const int region_level : {0, 2}) {
      const Patch patch = make_patch(on.grid, {level, region_level}, world_rank(), world_ranks());
      const Operators operators(on.grid, patch, earth_radius);
      Model part(MPI_COMM_WORLD, patch, operators, of, dt, diffusion);
      part.start(on.grid, of);
      for (int i = 0; i < steps; ++i) part.step();
      for (std::size_t i = 0; i < static_cast<std::size_t>(patch.own); ++i) {
        const std::size_t at = item_of[static_cast<std::size_t>(patch.cells[i])];
        CHECK(part.state().height[i] == whole.state().height[at]);
        CHECK(part.state().velocity.x[i] == whole.state().velocity.x[at]);
        CHECK(part.state().velocity.z[i] == whole.state().velocity.z[at]);
      }
    }
  }
}

}  // namespace
