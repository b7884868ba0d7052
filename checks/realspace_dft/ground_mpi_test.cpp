// The ground state on blocks and in groups against that of the library: one rank, complex numbers, the whole grid.
#include <doctest/doctest.h>

#include <cmath>

#include "ground.hpp"
#include "numerics/dft/crystals.hpp"
#include "numerics/dft/ground_state.hpp"
#include "proofs.hpp"

using namespace tenken;
using namespace tenken::realspace;

namespace {

dft::System diamond() {
  dft::Input input = dft::diamond_cubes("c", 0, {1, 1, 1});
  input.grid.points = {12, 12, 13};
  return dft::make_system(input);
}

}  // namespace

TEST_CASE("blocks and groups in real numbers have the ground state of the library") {
  const dft::System system = diamond();
  dft::GroundStateOptions exact_options;
  exact_options.tolerance = 1e-7;
  const dft::GroundState exact = dft::ground_state(system, {0, 1}, exact_options);
  CHECK(exact.converged);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int groups = 1; groups <= ranks; groups *= 2) {
    const Domain domain(MPI_COMM_WORLD, rank_grid(groups, {0, 0, 0}, system.grid.points, ranks), system.grid);
    GroundOptions options;
    options.bands = system.bands() + 4;
    options.block = 10;
    options.tolerance = 1e-6;
    Ground ground(domain, system, options);
    ground.begin();
    for (int i = 0; i < 60 && !ground.converged(); ++i) ground.iterate();
    CHECK(ground.converged());
    CHECK(std::abs(ground.energies().total() - exact.energies.total()) < 1e-7);
    for (std::size_t b = 0; b < static_cast<std::size_t>(system.bands()); ++b)
      CHECK(std::abs(ground.eigenvalues()[b] - exact.eigenvalues[b]) < 1e-6);
    CHECK(band_residual(domain, system, ground) < 1e-4);
    CHECK(orthonormality_error(domain, ground) < 1e-12);
  }
}
