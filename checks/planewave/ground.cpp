#include "ground.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "numerics/dft/ions.hpp"

namespace tenken::planewave {

namespace {

constexpr double first_width = 1.2;  // of the first density of an atom: a valence shell, Bohr
constexpr int history = 8;
constexpr double share = 0.7;  // of the residual, that is mixed in

// Every group has bands where there are enough.
std::int64_t block_of(std::int64_t asked, std::int64_t bands, int groups) {
  return std::min(asked, (bands + groups - 1) / groups);
}

}  // namespace

Ground::Ground(const Groups& groups, const Crystal& crystal, const dft::System& system, const GroundOptions& options)
    : groups_(groups),
      system_(system),
      options_(options),
      split_{crystal.bands, block_of(options.block, crystal.bands, groups.grid().bands), groups.grid().bands,
             groups.band()},
      k_range_(share_of(static_cast<std::int64_t>(system.k_points.size()), groups.k(), groups.grid().k)),
      symmetriser_(system.grid, system.reduction),
      hartree_(system.grid),
      mixing_(history, share),
      density_in_(dft::first_density(system.grid, system.atoms, first_width)) {
  std::int64_t most_waves = 0, most_rows = 0;
  for (std::int64_t k = k_range_.first; k < k_range_.last; ++k) {
    hamiltonians_.push_back(std::make_unique<Hamiltonian>(groups, system.grid, system.atoms,
                                                          system.k_points[static_cast<std::size_t>(k)], crystal.cut_off,
                                                          options.merge, options.conjugate_phase, nullptr));
    const Hamiltonian& h = *hamiltonians_.back();
    if (h.sphere().all_waves() < 2 * split_.count) {
      refuse("a cut-off of " + std::to_string(crystal.cut_off) + " Ha has " + std::to_string(h.sphere().all_waves()) +
             " plane waves at k-point " + std::to_string(k + 1) + ", but " + std::to_string(split_.count) +
             " bands need at least twice as many as bands; use a greater --cut_off or fewer --bands");
    }
    most_waves = std::max(most_waves, h.sphere().waves());
    most_rows = std::max(most_rows, h.rows());
    if (options.lost_column && groups.wave_rank() == 0) hamiltonians_.back()->lose_column();
  }
  for (std::size_t k = 0; k < hamiltonians_.size(); ++k)
    orbitals_.emplace_back(*hamiltonians_[k], split_, options.seed, k_range_.first + static_cast<std::int64_t>(k));
  davidson_ = std::make_unique<Davidson>(groups, split_, system.bands() + 1, most_waves, most_rows, options.within,
                                         options.eigen, options.seed, nullptr);
  if (options.stale_projector) davidson_->leave_stale();
}

void Ground::watch(Watch* watch) {
  watch_ = watch;
  davidson_->watch(watch);
  for (const auto& h : hamiltonians_) h->watch(watch);
}

std::vector<double> Ground::own_potential(const Sphere& sphere) const {
  std::vector<double> own;
  for (const std::int64_t point : sphere.grid_points()) own.push_back(potential_[static_cast<std::size_t>(point)]);
  return own;
}

void Ground::passes() {
  for (std::size_t k = 0; k < orbitals_.size(); ++k)
    davidson_->pass(orbitals_[k], own_potential(hamiltonians_[k]->sphere()));
}

void Ground::begin(int passes) {
  dft::Energies unused;
  dft::potential_of(system_, hartree_, density_in_, potential_, unused);
  for (int i = 0; i < passes; ++i) this->passes();
}

// Of all bands and k-points, on every rank.
std::vector<double> Ground::density() {
  const Sphere& sphere = hamiltonians_.front()->sphere();
  const std::vector<std::int64_t> points = sphere.grid_points();
  std::vector<double> own(points.size());
  for (std::size_t k = 0; k < orbitals_.size(); ++k) {
    const double weight = dft::System::occupation * hamiltonians_[k]->k().weight / system_.grid.volume();
    std::int64_t occupied = 0;
    while (occupied < split_.mine() && split_.band(occupied) < system_.bands()) ++occupied;
    hamiltonians_[k]->add_density(weight, occupied, orbitals_[k].columns(), own);
  }
  std::vector<double> whole(static_cast<std::size_t>(system_.grid.size()));
  for (std::size_t i = 0; i < points.size(); ++i) whole[static_cast<std::size_t>(points[i])] = own[i];
  {
    const std::int64_t bytes = system_.grid.size() * static_cast<std::int64_t>(sizeof(double));
    const Timed timed(watch_, Phase::density_allreduce, {.bytes_read = bytes, .bytes_written = bytes, .messages = 1});
    sum_over(groups_.world(), whole.data(), system_.grid.size());
  }
  const Timed timed(watch_, Phase::potential);
  symmetriser_(whole);
  return whole;
}

void Ground::energies_of_bands() {
  double sums[2]{};
  for (std::size_t k = 0; k < orbitals_.size(); ++k) {
    const Hamiltonian& h = *hamiltonians_[k];
    const double weight = dft::System::occupation * h.k().weight;
    const Columns bands = orbitals_[k].columns();
    for (std::int64_t b = 0; b < split_.mine() && split_.band(b) < system_.bands(); ++b) {
      const Complex* const u = bands.column(b);
      for (std::int64_t w = 0; w < bands.waves; ++w)
        sums[0] += weight * h.sphere().kinetic()[static_cast<std::size_t>(w)] * std::norm(u[w]);
      if (groups_.wave_rank() > 0) continue;  // products are the same on all ranks that share waves
      for (std::int64_t p = 0; p < h.projectors().count(); ++p)
        sums[1] += weight * h.projectors().strength()[static_cast<std::size_t>(p)] * std::norm(u[bands.waves + p]);
    }
  }
  sum_over(groups_.world(), sums, 2);
  energies_.kinetic = sums[0];
  energies_.nonlocal = sums[1];
}

void Ground::iterate() {
  const Timed timed(watch_, Phase::iteration);
  {
    const Timed part(watch_, Phase::potential);
    dft::Energies unused;
    dft::potential_of(system_, hartree_, density_in_, potential_, unused);
  }
  passes();
  density_ = density();
  {
    const Timed part(watch_, Phase::potential);
    dft::potential_of(system_, hartree_, density_, after_, energies_);
    energies_of_bands();
    double residual = 0;
    for (std::size_t i = 0; i < density_.size(); ++i)
      residual += std::abs(density_[i] - density_in_[i]) * system_.grid.point_volume();
    MPI_Allreduce(&residual, &residual_, 1, MPI_DOUBLE, MPI_MAX, groups_.world());
    // A converged density stays, so that each later iteration does the same work.
    if (!converged()) density_in_ = mixing_.next(density_in_, density_);
  }
}

double Ground::band_residual() const {
  double greatest = 0;
  for (const Orbitals& orbitals : orbitals_)
    if (!(orbitals.residual <= greatest)) greatest = orbitals.residual;  // a NaN, too
  return greatest;
}

double Ground::electrons() const {
  double sum = 0;
  for (const double value : density_) sum += value;
  return sum * system_.grid.point_volume();
}

std::vector<double> Ground::eigenvalues() const {
  std::vector<double> all(system_.k_points.size() * static_cast<std::size_t>(split_.count));
  const bool speaks = groups_.band() == 0 && groups_.wave_rank() == 0;
  for (std::size_t k = 0; speaks && k < orbitals_.size(); ++k)
    std::copy(orbitals_[k].eigenvalue.begin(), orbitals_[k].eigenvalue.end(),
              all.begin() + (k_range_.first + static_cast<std::int64_t>(k)) * split_.count);
  sum_over(groups_.world(), all.data(), static_cast<std::int64_t>(all.size()));
  return all;
}

std::int64_t Ground::bytes() const {
  std::int64_t bytes = davidson_->bytes() + 12 * system_.grid.size() * static_cast<std::int64_t>(sizeof(double));
  for (const auto& h : hamiltonians_) bytes += h->bytes();
  for (const Orbitals& orbitals : orbitals_) bytes += static_cast<std::int64_t>(orbitals.data.size() * sizeof(Complex));
  return bytes;
}

double ground_bytes(const Crystal& crystal, const GroupGrid& grid, std::int64_t k_points, int merge) {
  // Waves of a sphere of radius sqrt(2 cut-off).
  const double volume = crystal.input.grid.volume();
  const double waves =
      volume * std::pow(2 * crystal.cut_off, 1.5) / (6 * std::numbers::pi * std::numbers::pi) / grid.waves();
  const auto projectors = static_cast<double>(projector_count(crystal.input.atoms));
  const double bands = std::ceil(static_cast<double>(crystal.bands) / grid.bands);
  const double own_k = std::ceil(static_cast<double>(k_points) / grid.k);
  const auto points =
      static_cast<double>(crystal.input.grid.points[0]) * crystal.input.grid.points[1] * crystal.input.grid.points[2];
  const double rows = waves + projectors, all = static_cast<double>(crystal.bands);
  const double of_rank = points / grid.waves();
  // Half of the x have waves: lines along y and x; of one rank, those of one band alone.
  const double lines = grid.waves() == 1 ? points / 2 : merge * of_rank;
  return 16 * (own_k * (bands * rows + projectors * waves + merge * of_rank + lines) + bands * (2 * rows + 2 * waves) +
               15 * all * all) +
         8 * points * (12 + 2 * history);
}

}  // namespace tenken::planewave
