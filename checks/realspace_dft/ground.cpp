#include "ground.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "base/random.hpp"
#include "numerics/dft/ions.hpp"
#include "numerics/dft/linear_algebra.hpp"

namespace tenken::realspace {

namespace {

constexpr double first_width = 1.2;  // of the first density of an atom: a valence shell, Bohr
constexpr int history = 8;
constexpr double share = 0.8;    // of the residual, that is mixed in
constexpr int first_passes = 4;  // before the first density is taken from random bands

std::vector<Range> shares(std::int64_t count, int groups) {
  std::vector<Range> all;
  for (int g = 0; g < groups; ++g) all.push_back(share_of(count, g, groups));
  return all;
}

}  // namespace

Ground::Ground(const Domain& domain, const dft::System& system, const GroundOptions& options)
    : domain_(domain),
      system_(system),
      options_(options),
      own_(shares(options.bands, domain.ranks().groups)),
      hamiltonian_(domain, system, options.batch),
      orthonormal_(domain, std::min(options.block, options.bands), nullptr),
      symmetriser_(system.grid, 1),
      hartree_(system.grid),
      mixing_(history, share),
      eigenvalues_(static_cast<std::size_t>(options.bands)),
      density_in_(dft::first_density(system.grid, system.atoms, first_width)) {
  const auto points = static_cast<std::size_t>(domain.points());
  bands_ = Buffer<double>(static_cast<std::size_t>(options.bands) * points, Pages::huge, "the bands");
  images_ = Buffer<double>(static_cast<std::size_t>(own().size()) * points, Pages::huge, "images of bands");
  x_ = Buffer<double>(static_cast<std::size_t>(options.batch) * points, Pages::huge, "filtered bands");
  y_ = Buffer<double>(static_cast<std::size_t>(options.batch) * points, Pages::huge, "filtered bands");
  for (std::int64_t band = own().first; band < own().last; ++band) {
    const RandomStream random(options.seed, static_cast<std::uint64_t>(band));
    for (std::size_t i = 0; i < points; ++i)
      bands_[static_cast<std::size_t>(band) * points + i] =
          random.uniform(static_cast<std::uint64_t>(domain.grid_points()[i])) - 0.5;
  }
  if (options.stale_halo) hamiltonian_.leave_stale();
  if (options.lost_sum) orthonormal_.lose_sum();
  if (options.lost_projector) hamiltonian_.lose_projector();
}

void Ground::watch(Watch* watch) {
  watch_ = watch;
  hamiltonian_.watch(watch);
  orthonormal_.watch(watch);
}

std::vector<double> Ground::own_potential() const {
  std::vector<double> own;
  for (const std::int64_t point : domain_.grid_points()) own.push_back(potential_[static_cast<std::size_t>(point)]);
  return own;
}

// Energy below which free electrons have three times as many states as there are bands.
double Ground::first_cut() const {
  const double states = 3.0 * static_cast<double>(options_.bands);
  return std::pow(6 * std::numbers::pi * std::numbers::pi * states / system_.grid.volume(), 2.0 / 3) / 2;
}

// Own bands by a polynomial that is small from cut to highest and grows below.
void Ground::filter(bool first) {
  const Timed timed(watch_, Phase::filter);
  const double greatest = *std::max_element(potential_.begin(), potential_.end());
  const double least = *std::min_element(potential_.begin(), potential_.end());
  const double highest = hamiltonian_.largest(greatest);
  const double lowest = first ? least / 4 : eigenvalues_.front(), cut = first ? first_cut() : eigenvalues_.back();
  const double half = (highest - cut) / 2, middle = (highest + cut) / 2, begin = half / (lowest - middle);
  std::vector<double> shifted = own_potential();
  for (double& v : shifted) v -= middle;
  const std::int64_t points = domain_.points();
  for (std::int64_t band = own().first; band < own().last; band += options_.batch) {
    const int some = static_cast<int>(std::min<std::int64_t>(options_.batch, own().last - band));
    const std::int64_t n = some * points;
    double *older = bands_.data() + band * points, *newer = x_.data(), *next = y_.data();
    double* const home = older;
    double sigma = begin;
    hamiltonian_.apply(some, shifted.data(), older, newer);
    const double scale = sigma / half;
#pragma omp parallel for simd
    for (std::int64_t i = 0; i < n; ++i) newer[i] *= scale;
    for (int i = 2; i <= options_.degree; ++i) {
      const double following = 1 / (2 / begin - sigma), factor = 2 * following / half, before = sigma * following;
      hamiltonian_.apply(some, shifted.data(), newer, next);
      const double* const minus = older;
#pragma omp parallel for simd
      for (std::int64_t k = 0; k < n; ++k) next[k] = factor * next[k] - before * minus[k];
      sigma = following;
      std::swap(older, newer);
      std::swap(newer, next);
    }
    if (newer != home) std::copy_n(newer, n, home);
  }
}

void Ground::orthonormalise() {
  constexpr double dependent = 1e-10;
  least_left_ = orthonormal_(options_.bands, own_, bands_.data());
  if (!(least_left_ > dependent))
    impossible("bands became combinations of each other; use fewer --bands or a finer grid");
}

// Own bands become those combinations of all that diagonalise the Hamiltonian among them.
void Ground::rotate() {
  orthonormalise();
  const std::int64_t n = options_.bands, mine = own().size(), points = domain_.points();
  const std::vector<double> potential = own_potential();
  for (std::int64_t b = 0; b < mine; b += options_.batch) {
    const int some = static_cast<int>(std::min<std::int64_t>(options_.batch, mine - b));
    hamiltonian_.apply(some, potential.data(), bands_.data() + (own().first + b) * points, images_.data() + b * points);
  }
  matrix_.assign(static_cast<std::size_t>(n * n), 0);
  if (mine > 0) {
    const Timed timed(watch_, Phase::subspace, {.flop = 2 * n * mine * points});
    dft::inner_products(points, n, mine, system_.grid.point_volume(), bands_.data(), points, images_.data(), points,
                        matrix_.data() + own().first * n, n);
  }
  {
    const std::int64_t bytes = 8 * n * n;
    const Timed timed(watch_, Phase::subspace_allreduce, {.bytes_read = bytes, .bytes_written = bytes, .messages = 1});
    sum_over(domain_.world(), matrix_.data(), n * n);
  }
  {
    // Reduction to tridiagonal form, eigenvectors and their way back (LAPACK Users' Guide, table 3.13).
    const Timed timed(watch_, Phase::eigen, {.flop = 9 * n * n * n});
    int rank = 0;
    MPI_Comm_rank(domain_.world(), &rank);
    double failed = 0;
    const bool leader = options_.eigen == Eigen::leader;
    if (!leader || rank == 0) failed = dft::diagonalise(n, matrix_.data(), eigenvalues_) ? 0 : 1;
    if (leader) {
      MPI_Bcast(&failed, 1, MPI_DOUBLE, 0, domain_.world());
      MPI_Bcast(eigenvalues_.data(), static_cast<int>(n), MPI_DOUBLE, 0, domain_.world());
      MPI_Bcast(matrix_.data(), static_cast<int>(n * n), MPI_DOUBLE, 0, domain_.world());
    }
    if (failed > 0) impossible("LAPACK could not diagonalise the subspace of the bands; is its library sound?");
  }
  if (mine == 0) return;
  const Timed timed(watch_, Phase::subspace, {.flop = 2 * n * mine * points});
  dft::combine(points, n, mine, 1.0, bands_.data(), points, matrix_.data() + own().first * n, n, 0.0, images_.data(),
               points);
  std::copy_n(images_.data(), mine * points, bands_.data() + own().first * points);
}

void Ground::begin() {
  dft::Energies unused;
  dft::potential_of(system_, hartree_, density_in_, potential_, unused);
  for (int pass = 0; pass < first_passes; ++pass) {
    filter(pass == 0);
    rotate();
  }
}

std::vector<double> Ground::density() {
  const std::int64_t points = domain_.points();
  std::vector<double> whole(static_cast<std::size_t>(system_.grid.size()));
  {
    const std::int64_t last = std::min<std::int64_t>(own().last, system_.bands());
    const Timed timed(watch_, Phase::density, {.flop = 2 * std::max<std::int64_t>(0, last - own().first) * points});
#pragma omp parallel for
    for (std::int64_t i = 0; i < points; ++i) {
      double sum = 0;
      for (std::int64_t band = own().first; band < last; ++band) {
        const double u = bands_[static_cast<std::size_t>(band * points + i)];
        sum += u * u;
      }
      whole[static_cast<std::size_t>(domain_.grid_points()[static_cast<std::size_t>(i)])] =
          dft::System::occupation * sum;
    }
  }
  const std::int64_t bytes = 8 * system_.grid.size();
  const Timed timed(watch_, Phase::density_allreduce, {.bytes_read = bytes, .bytes_written = bytes, .messages = 1});
  sum_over(domain_.world(), whole.data(), system_.grid.size());
  return whole;
}

void Ground::iterate() {
  const Timed timed(watch_, Phase::iteration);
  {
    const Timed part(watch_, Phase::potential);
    dft::Energies unused;
    dft::potential_of(system_, hartree_, density_in_, potential_, unused);
  }
  filter(false);
  rotate();
  density_ = density();
  const Timed part(watch_, Phase::potential);
  double residual = 0;
  for (std::size_t i = 0; i < density_.size(); ++i)
    residual += std::abs(density_[i] - density_in_[i]) * system_.grid.point_volume();
  MPI_Allreduce(&residual, &residual_, 1, MPI_DOUBLE, MPI_MAX, domain_.world());
  // A converged density stays, so that each later iteration does the same work.
  if (!converged()) density_in_ = mixing_.next(density_in_, density_);
}

dft::Energies Ground::energies() {
  dft::Energies energies;
  dft::potential_of(system_, hartree_, density_, after_, energies);
  const std::int64_t points = domain_.points(), last = std::min<std::int64_t>(own().last, system_.bands());
  std::vector<double> kinetic(static_cast<std::size_t>(options_.batch)), nonlocal(kinetic);
  double sums[2]{};
  for (std::int64_t band = own().first; band < last; band += options_.batch) {
    const int some = static_cast<int>(std::min<std::int64_t>(options_.batch, last - band));
    hamiltonian_.energies(some, bands_.data() + band * points, kinetic.data(), nonlocal.data());
    for (std::size_t b = 0; b < static_cast<std::size_t>(some); ++b) {
      sums[0] += dft::System::occupation * kinetic[b];
      sums[1] += dft::System::occupation * nonlocal[b];
    }
  }
  sum_over(domain_.world(), sums, 2);
  energies.kinetic = sums[0];
  energies.nonlocal = sums[1];
  return energies;
}

double Ground::electrons() const {
  double sum = 0;
  for (const double value : density_) sum += value;
  return sum * system_.grid.point_volume();
}

std::int64_t Ground::bytes() const {
  const std::size_t numbers = bands_.size() + images_.size() + x_.size() + y_.size() +
                              static_cast<std::size_t>(options_.bands * options_.bands) +
                              12 * static_cast<std::size_t>(system_.grid.size());
  return hamiltonian_.bytes() + static_cast<std::int64_t>(numbers * sizeof(double));
}

double ground_bytes(const dft::Input& input, const RankGrid& ranks, std::int64_t bands, int batch) {
  double block = 1, padded = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    const double n = std::ceil(static_cast<double>(input.grid.points[d]) / ranks.blocks[d]);
    block *= n;
    padded *= n + 2 * reach;
  }
  const auto all = static_cast<double>(bands);
  const double own = std::ceil(all / ranks.groups);
  return 8 * (block * (all + own + 2 * batch) + padded * batch + 4 * all * all +
              static_cast<double>(input.grid.size()) * (12 + 2 * history));
}

}  // namespace tenken::realspace
