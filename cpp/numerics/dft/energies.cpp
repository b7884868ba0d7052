#include "numerics/dft/energies.hpp"

#include <algorithm>

#include "numerics/dft/xc.hpp"

namespace tenken::dft {

std::vector<double> density_of(const System& system, const Symmetriser& symmetriser, const Occupied& orbitals,
                               const Reduce& reduce) {
  const std::int64_t points = system.grid.size();
  std::vector<double> density(static_cast<std::size_t>(points));
#pragma omp parallel for
  for (std::int64_t block = 0; block < (points + 511) / 512; ++block) {
    const std::int64_t first = block * 512, last = std::min(points, first + 512);
    for (std::int64_t k = orbitals.k_range.first; k < orbitals.k_range.last; ++k) {
      const double weight = System::occupation * system.k_points[static_cast<std::size_t>(k)].weight;
      for (std::int64_t band = orbitals.bands.first; band < orbitals.bands.last; ++band) {
        const Complex* const u = orbitals.of(k, band, points);
        for (std::int64_t i = first; i < last; ++i) density[static_cast<std::size_t>(i)] += weight * std::norm(u[i]);
      }
    }
  }
  reduce(density.data(), density.size());
  symmetriser(density);
  return density;
}

void potential_of(const System& system, Hartree& hartree, const std::vector<double>& density,
                  std::vector<double>& potential, Energies& energies) {
  const double dv = system.grid.point_volume();
  potential.resize(density.size());
  energies.hartree = hartree(density.data(), potential.data());
  energies.exchange_correlation =
      dv * add_exchange_correlation(system.functional, system.grid.size(), density.data(), potential.data());
  energies.local = 0;
  for (std::size_t i = 0; i < density.size(); ++i) {
    energies.local += dv * density[i] * system.local_potential[i];
    potential[i] += system.local_potential[i];
  }
  energies.ewald = system.ewald_energy;
  energies.core = system.core_energy;
}

void energies_of_orbitals(const System& system, const Occupied& orbitals, const Vector& a, const ApplyStencil& apply,
                          const Reduce& reduce, Energies& energies) {
  const std::int64_t points = system.grid.size();
  const std::int64_t bands = orbitals.bands.size(), count = orbitals.k_range.size() * bands;
  std::vector<double> kinetic(static_cast<std::size_t>(count)), nonlocal(kinetic);
  std::vector<Hamiltonian> hamiltonians;
  for (std::int64_t k = orbitals.k_range.first; k < orbitals.k_range.last; ++k) {
    Vector at = system.k_points[static_cast<std::size_t>(k)].k;
    for (std::size_t d = 0; d < 3; ++d) at[d] += a[d];
    hamiltonians.emplace_back(system, at, apply);
  }
  const std::vector<double> none(static_cast<std::size_t>(points));
#pragma omp parallel
  {
    std::vector<Complex> result(static_cast<std::size_t>(points));
#pragma omp for schedule(dynamic)
    for (std::int64_t item = 0; item < count; ++item) {
      const std::int64_t k = item / bands;
      const Complex* const u = orbitals.of(orbitals.k_range.first + k, orbitals.bands.first + item % bands, points);
      const Hamiltonian& h = hamiltonians[static_cast<std::size_t>(k)];
      h.stencil_only(none.data(), u, result.data());
      double sum = 0;
      for (std::int64_t i = 0; i < points; ++i)
        sum += u[i].real() * result[static_cast<std::size_t>(i)].real() +
               u[i].imag() * result[static_cast<std::size_t>(i)].imag();
      const double weight =
          System::occupation * system.k_points[static_cast<std::size_t>(k + orbitals.k_range.first)].weight;
      kinetic[static_cast<std::size_t>(item)] = weight * sum * system.grid.point_volume();
      nonlocal[static_cast<std::size_t>(item)] = weight * h.nonlocal().energy(u);
    }
  }
  double sums[2]{};
  for (const double value : kinetic) sums[0] += value;
  for (const double value : nonlocal) sums[1] += value;
  reduce(sums, 2);
  energies.kinetic = sums[0];
  energies.nonlocal = sums[1];
}

}  // namespace tenken::dft
