#include "proofs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "norm_loss.hpp"
#include "numerics/dft/energies.hpp"
#include "numerics/dft/hamiltonian.hpp"
#include "this_check.hpp"

namespace tenken::tddft {

namespace {

namespace validity = this_check::validity;
using dft::Complex;

Complex inner(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  Complex sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::conj(a[i]) * b[i];
  return sum;
}

double length(const std::vector<Complex>& a) { return std::sqrt(inner(a, a).real()); }

std::vector<Complex> random_orbital(std::int64_t points, std::uint64_t seed) {
  const RandomStream numbers(seed, 0);
  std::vector<Complex> u(static_cast<std::size_t>(points));
  for (std::size_t i = 0; i < u.size(); ++i) {
    u[i] = {numbers.uniform(2 * i) - 0.5, numbers.uniform(2 * i + 1) - 0.5};
  }
  return u;
}

void test_hamiltonian(const dft::System& system, Electrons& electrons, Errors& errors) {
  const std::int64_t points = system.grid.size();
  const auto a = random_orbital(points, 1), b = random_orbital(points, 2);
  std::vector<Complex> ha(a.size()), hb(a.size()), plain(a.size());
  electrons.apply(0, a.data(), ha.data());
  electrons.apply(0, b.data(), hb.data());
  dft::Vector at = system.k_points[static_cast<std::size_t>(electrons.share().k.first)].k;
  const dft::Vector field = electrons.a();
  for (std::size_t d = 0; d < 3; ++d) at[d] += field[d];
  dft::apply_plain(dft::Stencil(system.grid, at), electrons.potential().data(), a.data(), plain.data());
  dft::Nonlocal(system, at).add(a.data(), plain.data());
  const double size = length(plain);
  for (std::size_t i = 0; i < plain.size(); ++i) plain[i] -= ha[i];
  errors.hamiltonian = length(plain) / size;
  errors.hermiticity = std::abs(inner(a, hb) - std::conj(inner(b, ha))) / (length(a) * length(hb));
}

double norm_error(const dft::System& system, const std::vector<Complex>& orbitals) {
  const auto points = static_cast<std::size_t>(system.grid.size());
  double worst = 0;
  for (std::size_t first = 0; first < orbitals.size(); first += points) {
    double norm = 0;
    for (std::size_t p = 0; p < points; ++p) norm += std::norm(orbitals[first + p]);
    worst = std::max(worst, std::abs(norm * system.grid.point_volume() - 1));
  }
  return worst;
}

struct Slope {
  double value;
  double rounding;  // of `value`: below it, differences of energies mean nothing
};

// dE/dA over the volume along one axis, by differences of 4th order: E is nearly quadratic in A.
Slope slope(const dft::System& system, const dft::Occupied& occupied, dft::Vector a, std::size_t axis,
            const dft::Reduce& reduce) {
  constexpr double step = 2e-3;
  double largest = 0;
  const auto energy = [&](double shift) {
    dft::Vector at = a;
    at[axis] += shift;
    dft::Energies e;
    dft::energies_of_orbitals(system, occupied, at, {}, reduce, e);
    largest = std::max(largest, std::abs(e.kinetic) + std::abs(e.nonlocal));
    return e.kinetic + e.nonlocal;
  };
  const double near = energy(step) - energy(-step), far = energy(2 * step) - energy(-2 * step);
  // Eight times two energies near, two far: each is right to some units in its last place.
  constexpr double units = 8, terms = 18;
  const double scale = 12 * step * system.grid.volume();
  return {(8 * near - far) / scale, terms * units * std::numeric_limits<double>::epsilon() * largest / scale};
}

}  // namespace

dft::Energies energies(const dft::System& system, const Electrons& electrons, const dft::Reduce& reduce) {
  const auto orbitals = electrons.orbitals();
  dft::Energies e;
  e.ewald = system.ewald_energy;
  e.core = system.core_energy;
  dft::energies_of_orbitals(system, electrons.occupied(orbitals), electrons.a(), {}, reduce, e);
  dft::Hartree hartree(system.grid);
  std::vector<double> potential;
  dft::potential_of(system, hartree, electrons.density(), potential, e);
  return e;
}

void Errors::take_worse(const Errors& other) {
  const auto worse = [](double& mine, double its) {
    if (std::isnan(its) || its > mine) mine = its;
  };
  worse(hamiltonian, other.hamiltonian);
  worse(hermiticity, other.hermiticity);
  worse(norm, other.norm);
  worse(charge, other.charge);
  worse(density, other.density);
  worse(current, other.current);
  worse(work, other.work);
}

Errors errors_of(const dft::System& system, Electrons& electrons, const dft::Reduce& reduce) {
  Errors errors;
  test_hamiltonian(system, electrons, errors);
  const auto orbitals = electrons.orbitals();
  const dft::Occupied occupied = electrons.occupied(orbitals);
  errors.norm = norm_error(system, orbitals);
  errors.charge = std::abs(electrons.electrons() / system.electrons - 1);
  const auto plain = dft::density_of(system, dft::Symmetriser(system.grid, system.reduction), occupied, reduce);
  double difference = 0, largest = 0;
  for (std::size_t p = 0; p < plain.size(); ++p) {
    difference = std::max(difference, std::abs(plain[p] - electrons.density()[p]));
    largest = std::max(largest, plain[p]);
  }
  errors.density = difference / largest;
  const std::size_t axis = electrons.settings().axis;
  const Slope expected = slope(system, occupied, electrons.a(), axis, reduce);
  const double current = electrons.current()[axis];
  const double scale =
      std::abs(expected.value) + 1e-3 * system.electrons / system.grid.volume() * std::abs(electrons.a()[axis]);
  const double off = std::abs(current - expected.value);
  errors.current = off <= expected.rounding ? 0 : off / scale;
  return errors;
}

void prove(Check& check, const Errors& errors, int steps) {
  check.prove(validity::hamiltonian, check.max_over_ranks(errors.hamiltonian));
  check.prove(validity::hermiticity, check.max_over_ranks(errors.hermiticity));
  check.prove(validity::norm, check.max_over_ranks(errors.norm), norm_of_a_step * (1 + steps),
              "Taylor expansion, by step");
  check.prove(validity::charge, check.max_over_ranks(errors.charge));
  check.prove(validity::density, check.max_over_ranks(errors.density));
  check.prove(validity::current, check.max_over_ranks(errors.current));
  check.prove(validity::work, check.max_over_ranks(errors.work));
}

}  // namespace tenken::tddft
