// Density and energy of given orbitals, at rest or under a vector potential.
#pragma once

#include <vector>

#include "numerics/dft/hamiltonian.hpp"
#include "numerics/dft/hartree.hpp"
#include "numerics/dft/reduce.hpp"
#include "numerics/dft/symmetry.hpp"
#include "numerics/dft/system.hpp"
#include "numerics/team.hpp"

namespace tenken::dft {

// Hartree a cell.
struct Energies {
  double kinetic = 0, hartree = 0, exchange_correlation = 0, local = 0, nonlocal = 0, ewald = 0, core = 0;
  double total() const { return kinetic + hartree + exchange_correlation + local + nonlocal + ewald + core; }
};

// Orbitals of the k-points of one rank; a view. `stored` bands a k-point are in memory. `bands` of them are occupied
// and this rank's: all ranks together have each once.
struct Occupied {
  Range k_range;
  std::int64_t stored = 0;
  Range bands;
  const Complex* orbitals = nullptr;  // [k - k_range.first][band][point]

  const Complex* of(std::int64_t k, std::int64_t band, std::int64_t points) const {
    return orbitals + ((k - k_range.first) * stored + band) * points;
  }
};

// Density of all k-points, made symmetric where these were reduced. Sums go in an order that threads do not change.
std::vector<double> density_of(const System& system, const Symmetriser& symmetriser, const Occupied& orbitals,
                               const Reduce& reduce);

// potential = ions + Hartree + exchange-correlation; the energies of these three parts are set.
void potential_of(const System& system, Hartree& hartree, const std::vector<double>& density,
                  std::vector<double>& potential, Energies& energies);

// Sets the kinetic and the non-local part: of u = exp(-i k.r) psi in a vector potential, a = A / c.
void energies_of_orbitals(const System& system, const Occupied& orbitals, const Vector& a, const ApplyStencil& apply,
                          const Reduce& reduce, Energies& energies);

}  // namespace tenken::dft
