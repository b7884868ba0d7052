#include "numerics/dft/forces.hpp"

#include <cmath>
#include <memory>

#include "base/error.hpp"
#include "numerics/dft/ewald.hpp"
#include "numerics/dft/ions.hpp"
#include "numerics/dft/pseudopotential.hpp"
#include "numerics/fft.hpp"

namespace tenken::dft {

Forces::Forces(const System& system, const Input& input) : system_(system) {
  if (system.reduction != 1) {
    refuse("forces need all k-points, but these are reduced by " + std::to_string(system.reduction) +
           "; use reduction 1");
  }
  slopes_ = projector_slopes(system.grid, input.atoms, system.projectors, input.filter_projectors);
  for (std::size_t i = 0; i < input.atoms.size(); ++i) {
    if (!channels(pseudopotential(input.atoms[i].element)).empty()) atom_of_.push_back(i);
  }
}

void Forces::add_ions(std::vector<Vector>& forces) const {
  const std::vector<Atom>& atoms = system_.atoms;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      Vector between;
      for (std::size_t d = 0; d < 3; ++d) between[d] = atoms[i].position[d] - atoms[j].position[d];
      const Vector slope = ewald_slope(system_.grid.cell, between);
      const double charges = pseudopotential(atoms[i].element).charge * pseudopotential(atoms[j].element).charge;
      for (std::size_t d = 0; d < 3; ++d) {
        forces[i][d] -= charges * slope[d];
        forces[j][d] += charges * slope[d];
      }
    }
  }
}

void Forces::add_local(const std::vector<double>& density, std::vector<Vector>& forces) const {
  const std::vector<Vector> slopes = local_slopes(system_.grid, system_.atoms, density);
  for (std::size_t i = 0; i < forces.size(); ++i) {
    for (std::size_t d = 0; d < 3; ++d) forces[i][d] -= slopes[i][d];
  }
}

// With S_c = sum value_c ph u dV over a sphere, the energy is sum strength_c |S_c|^2, and a shift of the atom by -s
// shifts all offsets by s: dS_c/ds = sum dvalue_c/ds ph u dV + i K S_c, whose last term turns S_c and leaves |S_c|.
void Forces::add_nonlocal(const Occupied& orbitals, const Vector& a, const Reduce& reduce,
                          std::vector<Vector>& forces) const {
  const std::int64_t points = system_.grid.size();
  const double dv = system_.grid.point_volume();
  std::vector<double> sums(3 * atom_of_.size());
#pragma omp parallel for schedule(static)
  for (std::size_t n = 0; n < atom_of_.size(); ++n) {
    const AtomProjectors& atom = system_.projectors[n];
    const auto count = static_cast<std::size_t>(atom.count());
    std::vector<Complex> phase(count), turned(count);
    for (std::int64_t k = orbitals.k_range.first; k < orbitals.k_range.last; ++k) {
      const KPoint& point = system_.k_points[static_cast<std::size_t>(k)];
      Vector at = point.k;
      for (std::size_t d = 0; d < 3; ++d) at[d] += a[d];
      for (std::size_t i = 0; i < count; ++i) {
        const Vector& r = atom.offset[i];
        phase[i] = std::polar(1.0, at[0] * r[0] + at[1] * r[1] + at[2] * r[2]);
      }
      for (std::int64_t band = orbitals.bands.first; band < orbitals.bands.last; ++band) {
        const Complex* const u = orbitals.of(k, band, points);
        for (std::size_t i = 0; i < count; ++i) turned[i] = phase[i] * u[atom.point[i]] * dv;
        for (std::size_t c = 0; c < static_cast<std::size_t>(atom.channels()); ++c) {
          const double* const value = atom.value.data() + c * count;
          Complex s = 0;
          for (std::size_t i = 0; i < count; ++i) s += value[i] * turned[i];
          for (std::size_t d = 0; d < 3; ++d) {
            const double* const slope = slopes_[n][d].data() + c * count;
            Complex shifted = 0;
            for (std::size_t i = 0; i < count; ++i) shifted += slope[i] * turned[i];
            sums[3 * n + d] +=
                System::occupation * point.weight * 2 * atom.strength[c] * (std::conj(s) * shifted).real();
          }
        }
      }
    }
  }
  reduce(sums.data(), sums.size());
  for (std::size_t n = 0; n < atom_of_.size(); ++n) {
    for (std::size_t d = 0; d < 3; ++d) forces[atom_of_[n]][d] += sums[3 * n + d];
  }
}

std::vector<Vector> Forces::operator()(const Occupied& orbitals, const std::vector<double>& density, const Vector& a,
                                       const Reduce& reduce) const {
  std::vector<Vector> forces(system_.atoms.size());
  add_ions(forces);
  add_local(density, forces);
  add_nonlocal(orbitals, a, reduce, forces);
  return forces;
}

}  // namespace tenken::dft
