// k-points and bands over ranks: the same ground state on any number.
#include <doctest/doctest.h>
#include <mpi.h>
#include <omp.h>

#include <algorithm>
#include <cmath>

#include "numerics/dft/ground_state.hpp"

using namespace tenken;
using namespace tenken::dft;

namespace {

void over_ranks(double* numbers, std::size_t n) {
  MPI_Allreduce(MPI_IN_PLACE, numbers, static_cast<int>(n), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

}  // namespace

TEST_CASE("ranks and threads share the k-points without a trace") {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Input input = example("si");
  input.grid.points = {8, 8, 8};
  input.k_grid = {2, 2, 4};
  input.reduction = 4;
  const System system = make_system(input);
  const auto count = static_cast<std::int64_t>(system.k_points.size());
  REQUIRE(count == 4);
  const GroundState alone_all = ground_state(system, {0, count}, {});
  for (const int threads : {1, 2}) {
    omp_set_num_threads(threads);
    const Range mine = share_of(count, rank, ranks);
    const GroundState state = ground_state(system, mine, {}, over_ranks);
    CHECK(state.converged);
    CHECK(state.iterations == alone_all.iterations);
    CHECK(std::abs(state.energies.total() - alone_all.energies.total()) < 1e-11);
    for (std::size_t i = 0; i < state.density.size(); ++i)
      CHECK(std::abs(state.density[i] - alone_all.density[i]) < 1e-11);
    for (std::int64_t k = mine.first; k < mine.last; ++k)
      for (int b = 0; b < system.bands(); ++b)
        CHECK(std::abs(state.eigenvalues[static_cast<std::size_t>((k - mine.first) * state.bands + b)] -
                       alone_all.eigenvalues[static_cast<std::size_t>(k * state.bands + b)]) < 1e-9);
  }
}

TEST_CASE("ranks divide the bands of a k-point without a trace") {
  SameK same_k;
  MPI_Comm_rank(MPI_COMM_WORLD, &same_k.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &same_k.ranks);
  same_k.gather = [&](double* numbers, std::int64_t each, std::int64_t items) {
    for (int rank = 0; rank < same_k.ranks; ++rank) {
      const Range part = share_of(items, rank, same_k.ranks);
      MPI_Bcast(numbers + part.first * each, static_cast<int>(part.size() * each), MPI_DOUBLE, rank, MPI_COMM_WORLD);
    }
  };
  int agreed = 0;
  same_k.agree = [&](double* numbers, std::int64_t n) {
    MPI_Bcast(numbers, static_cast<int>(n), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    ++agreed;
  };
  Input input = example("si");
  input.grid.points = {8, 8, 8};
  input.k_grid = {2, 2, 2};
  System system = make_system(input);
  system.k_points = {{system.k_points[0].k, 1}};
  const GroundState all = ground_state(system, {0, 1}, {});
  for (const int threads : {1, 2}) {
    omp_set_num_threads(threads);
    agreed = 0;
    const GroundState state = ground_state(system, {0, 1}, {}, over_ranks, same_k);
    CHECK(state.converged);
    CHECK(state.mine == share_of(system.bands(), same_k.rank, same_k.ranks));
    CHECK((agreed > 0) == (same_k.ranks > 1));
    CHECK(std::abs(state.energies.total() - all.energies.total()) < 1e-10);
    double farthest = 0;
    for (std::size_t i = 0; i < state.density.size(); ++i)
      farthest = std::max(farthest, std::abs(state.density[i] - all.density[i]));
    CHECK(farthest < 1e-9);
    for (std::size_t b = 0; b < static_cast<std::size_t>(system.bands()); ++b)
      CHECK(std::abs(state.eigenvalues[b] - all.eigenvalues[b]) < 1e-9);
  }
}
