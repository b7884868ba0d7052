// Bands by Davidson's method against the dense Hamiltonian of all plane waves, diagonalised by LAPACK.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "crystal.hpp"
#include "davidson.hpp"
#include "numerics/dft/crystals.hpp"
#include "numerics/dft/gth.hpp"
#include "numerics/dft/linear_algebra.hpp"
#include "twin.hpp"

using namespace tenken;
using namespace tenken::planewave;

namespace {

constexpr std::int64_t count = 20, compared = 14;
const dft::KPoint k{{0.13, -0.05, 0.21}, 1};  // in no symmetric place

int world_ranks() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

dft::System system_of(dft::Input input, double cut_off) {
  for (std::size_t d = 0; d < 3; ++d) input.grid.points[d] = good_points(input.grid.cell[d], cut_off, 1);
  input.projectors_on_grid = false;
  input.atoms[3].position[1] += 0.2;  // nor the atoms
  return dft::make_system(input);
}

// Three projectors of l = 0 and one of l = 2.
dft::Input gallium_arsenide() {
  dft::Input input = dft::diamond_cubes("si", 10.683, {1, 1, 1});
  for (std::size_t i = 0; i < input.atoms.size(); ++i) input.atoms[i].element = i % 2 == 0 ? "Ga" : "As";
  const std::filesystem::path here = std::filesystem::path(__FILE__).parent_path();
  dft::use_pseudopotentials((here / "examples/gallium_arsenide.gth").string(), input.atoms);
  return input;
}

std::vector<double> dense(const dft::System& system, double cut_off, const std::vector<double>& potential) {
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

dft::Pseudopotential without_third_projector(dft::Pseudopotential ion) {
  auto& h = ion.of_l[0].h;
  for (auto& row : h) row[2] = 0;
  h[2] = {};
  return ion;
}

dft::Pseudopotential without_l_2(dft::Pseudopotential ion) {
  ion.of_l[2] = {};
  return ion;
}

// Levels of a potential as if electrons screened it.
struct Levels {
  Levels(dft::Input input, double cut_off)
      : cut_off(cut_off), system(system_of(std::move(input), cut_off)), potential(system.local_potential) {
    for (double& value : potential) value *= 0.4;
    exact = dense(system, cut_off, potential);
  }

  double cut_off;
  dft::System system;
  std::vector<double> potential, exact;
};

// Of the bands in so many groups.
void compare(const Levels& levels, int group_count) {
  const int ranks = world_ranks();
  const Groups groups(MPI_COMM_WORLD, group_grid({1, group_count, 0}, 0, ranks, 1, ranks));
  const BandSplit split{count, 4, group_count, groups.band()};
  Hamiltonian h(groups, levels.system.grid, levels.system.atoms, k, levels.cut_off, 3, false, nullptr);
  std::vector<double> own;
  for (const std::int64_t point : h.sphere().grid_points())
    own.push_back(levels.potential[static_cast<std::size_t>(point)]);
  const Within within = group_count == 1 ? Within::halves : Within::cholesky;
  const Eigen eigen = group_count == 1 ? Eigen::replicated : Eigen::leader;
  Davidson davidson(groups, split, compared, h.sphere().waves(), h.rows(), within, eigen, 1, nullptr);
  Orbitals orbitals(h, split, 1, 0);
  for (int pass = 0; pass < 40; ++pass) davidson.pass(orbitals, own);
  for (std::size_t b = 0; b < compared; ++b) CHECK(std::abs(orbitals.eigenvalue[b] - levels.exact[b]) < 1e-9);
  CHECK(orbitals.residual < 1e-5);
}

}  // namespace

TEST_CASE("bands are the lowest of the dense Hamiltonian, on every grid of ranks and in both forms") {
  const Levels levels(dft::diamond_cubes("sic", 0, {1, 1, 1}), 4);
  for (int groups = 1; groups <= world_ranks(); groups *= 2) compare(levels, groups);
  // The twelfth and thirteenth level differ: the order is no accident.
  CHECK(levels.exact[12] - levels.exact[11] > 1e-4);
}

TEST_CASE("bands of a crystal with l = 2 and three projectors are those of its dense Hamiltonian") {
  const Levels levels(gallium_arsenide(), 2.5);
  compare(levels, 1);
  // Neither part of the pseudopotentials could be left out.
  const auto whole = std::array{dft::pseudopotential("Ga"), dft::pseudopotential("As")};
  for (const auto part : {without_third_projector, without_l_2}) {
    for (const dft::Pseudopotential& ion : whole) dft::set_pseudopotential(part(ion));
    const std::vector<double> other = dense(levels.system, levels.cut_off, levels.potential);
    double moved = 0;
    for (std::size_t b = 0; b < compared; ++b) moved = std::max(moved, std::abs(other[b] - levels.exact[b]));
    CHECK(moved > 1e-3);
  }
  for (const dft::Pseudopotential& ion : whole) dft::set_pseudopotential(ion);
}
