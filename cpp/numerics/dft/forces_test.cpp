// Forces against slopes of the energy with the orbitals held.
#include "numerics/dft/forces.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "base/error.hpp"
#include "base/random.hpp"

using namespace tenken;
using namespace tenken::dft;

namespace {

// Atoms off the points, in a cell that their projectors' spheres reach beyond.
Input toy(bool filtered) {
  Input input;
  input.grid = {{8, 9, 10}, {5.0, 5.5, 5.2}};
  input.atoms = {{"Si", {0.3, 0.1, 0.7}}, {"O", {2.6, 2.9, 3.1}}, {"H", {1.1, 4.0, 1.2}}, {"H", {3.7, 0.9, 3.9}}};
  input.k_grid = {1, 2, 1};
  input.filter_projectors = filtered;
  return input;
}

std::vector<Complex> random_orbitals(const System& system) {
  const RandomStream numbers(5, 0);
  std::vector<Complex> all(system.k_points.size() * static_cast<std::size_t>(system.bands() * system.grid.size()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = {numbers.uniform(2 * i) - 0.3, numbers.uniform(2 * i + 1) - 0.6};
  }
  return all;
}

}  // namespace

TEST_CASE("forces are the slopes of the energy by the atoms' places") {
  const Vector a{0.1, -0.2, 0.15};
  for (const bool filtered : {false, true}) {
    const Input input = toy(filtered);
    const System system = make_system(input);
    const auto u = random_orbitals(system);
    const Occupied orbitals{
        {0, static_cast<std::int64_t>(system.k_points.size())}, system.bands(), {0, system.bands()}, u.data()};
    const auto density = density_of(system, Symmetriser(system.grid, 1), orbitals, alone);
    const auto forces = Forces(system, input)(orbitals, density, a, alone);
    const auto energy = [&](std::size_t atom, std::size_t d, double shift) {
      Input moved = input;
      moved.atoms[atom].position[d] += shift;
      const System there = make_system(moved);
      for (std::size_t n = 0; n < there.projectors.size(); ++n) {
        REQUIRE(there.projectors[n].count() == system.projectors[n].count());  // else the sphere's edge shows
      }
      Energies e;
      energies_of_orbitals(there, orbitals, a, {}, alone, e);
      double local = 0;
      for (std::size_t p = 0; p < density.size(); ++p) local += there.local_potential[p] * density[p];
      return e.nonlocal + local * there.grid.point_volume() + there.ewald_energy;
    };
    for (std::size_t atom = 0; atom < input.atoms.size(); ++atom) {
      for (std::size_t d = 0; d < 3; ++d) {
        constexpr double step = 1e-4;
        const double slope = (energy(atom, d, step) - energy(atom, d, -step)) / (2 * step);
        CHECK(forces[atom][d] == doctest::Approx(-slope).epsilon(1e-6).scale(1e-3));
      }
    }
  }
}

TEST_CASE("forces of silicon at rest vanish by symmetry, and reduced k-points are refused") {
  Input input = example("si");
  input.grid.points = {8, 8, 8};
  const System system = make_system(input);
  const std::vector<double> uniform(static_cast<std::size_t>(system.grid.size()), 0.03);
  std::vector<Vector> forces(system.atoms.size());
  const Forces of(system, input);
  of.add_ions(forces);
  of.add_local(uniform, forces);
  for (const Vector& force : forces) {
    for (const double component : force) CHECK(std::abs(component) < 1e-10);
  }
  input.reduction = 4;
  const System reduced = make_system(input);
  CHECK_THROWS_AS(Forces(reduced, input), UserError);
}
