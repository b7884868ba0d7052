// Bands by Davidson's method against the dense Hamiltonian of all plane waves, diagonalised by LAPACK.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "crystal.hpp"
#include "davidson.hpp"
#include "numerics/dft/crystals.hpp"
#include "numerics/dft/linear_algebra.hpp"
#include "twin.hpp"

using namespace tenken;
using namespace tenken::planewave;

namespace {

constexpr double cut_off = 4;
const dft::KPoint k{{0.13, -0.05, 0.21}, 1};  // in no symmetric place

int world_ranks() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

dft::System silicon_carbide() {
  dft::Input input = dft::diamond_cubes("sic", 0, {1, 1, 1});
  for (std::size_t d = 0; d < 3; ++d) input.grid.points[d] = good_points(input.grid.cell[d], cut_off, 1);
  input.projectors_on_grid = false;
  input.atoms[3].position[1] += 0.2;  // nor the atoms
  return dft::make_system(input);
}

std::vector<double> dense(const dft::System& system, const std::vector<double>& potential) {
  const Sphere sphere(system.grid, k.k, cut_off, RankGrid{1, 1}, 0);
  const auto n = static_cast<std::size_t>(sphere.waves());
  const LocalOfWaves local(system.grid, potential);
  const NonlocalOfWaves nonlocal(system);
  const auto q_of = [&](const std::array<int, 3>& f) {
    dft::Vector q;
    for (std::size_t d = 0; d < 3; ++d) q[d] = k.k[d] + 2 * std::numbers::pi * f[d] / system.grid.cell[d];
    return q;
  };
  std::vector<Complex> matrix(n * n);
  for (std::size_t column = 0; column < n; ++column)
    for (std::size_t row = column; row < n; ++row) {
      const auto &to = sphere.frequency()[row], &from = sphere.frequency()[column];
      matrix[column * n + row] =
          local({to[0] - from[0], to[1] - from[1], to[2] - from[2]}) + nonlocal(q_of(to), q_of(from));
      if (row == column) matrix[column * n + row] += sphere.kinetic()[row];
    }
  std::vector<double> values;
  CHECK(dft::diagonalise(static_cast<std::int64_t>(n), matrix.data(), values));
  return values;
}

}  // namespace

TEST_CASE("bands are the lowest of the dense Hamiltonian, on every grid of ranks and in both forms") {
  const dft::System system = silicon_carbide();
  std::vector<double> potential = system.local_potential;
  for (std::size_t i = 0; i < potential.size(); ++i) potential[i] *= 0.4;  // as if electrons screened it
  const std::vector<double> exact = dense(system, potential);
  constexpr std::int64_t count = 20, compared = 14;
  const int ranks = world_ranks();
  for (int bands = 1; bands <= ranks; bands *= 2) {
    const Groups groups(MPI_COMM_WORLD, group_grid({1, bands, 0}, 0, ranks, 1, ranks));
    const BandSplit split{count, 4, bands, groups.band()};
    Hamiltonian h(groups, system.grid, system.atoms, k, cut_off, 3, false, nullptr);
    std::vector<double> own;
    for (const std::int64_t point : h.sphere().grid_points()) own.push_back(potential[static_cast<std::size_t>(point)]);
    const Within within = bands == 1 ? Within::halves : Within::cholesky;
    const Eigen eigen = bands == 1 ? Eigen::replicated : Eigen::leader;
    Davidson davidson(groups, split, compared, h.sphere().waves(), h.rows(), within, eigen, 1, nullptr);
    Orbitals orbitals(h, split, 1, 0);
    for (int pass = 0; pass < 40; ++pass) davidson.pass(orbitals, own);
    for (std::size_t b = 0; b < compared; ++b) CHECK(std::abs(orbitals.eigenvalue[b] - exact[b]) < 1e-9);
    CHECK(orbitals.residual < 1e-5);
    // The twelfth and thirteenth level differ: the order is no accident.
    CHECK(exact[12] - exact[11] > 1e-4);
  }
}
