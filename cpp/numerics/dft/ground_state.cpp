#include "numerics/dft/ground_state.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <optional>

#include "base/checkpoint.hpp"
#include "base/error.hpp"
#include "base/random.hpp"
#include "numerics/dft/ions.hpp"
#include "numerics/dft/linear_algebra.hpp"
#include "numerics/dft/subspace.hpp"

namespace tenken::dft {

namespace {

// Of the first guess of the density: a valence shell, Bohr.
constexpr double first_width = 1.2;
// Filters before the first density is taken from random orbitals.
constexpr int first_passes = 4;

struct Interval {
  double lowest;  // about the lowest wanted eigenvalue
  double cut;     // wanted ones lie below
  double highest;
};

// u = p(H) u with a Chebyshev polynomial that is small from cut to highest and grows below. shifted: the potential less
// the middle of that interval. x, y: room for a band each.
void chebyshev(const Hamiltonian& h, const Interval& interval, int degree, const double* shifted, std::int64_t points,
               Complex* u, Complex* x, Complex* y) {
  const double half = (interval.highest - interval.cut) / 2;
  const double middle = (interval.highest + interval.cut) / 2;
  const double first = half / (interval.lowest - middle);
  double sigma = first;
  const auto scaled = [&](Complex* to, double factor, double before, const Complex* minus) {
    auto* const t = reinterpret_cast<double*>(to);
    const auto* const m = reinterpret_cast<const double*>(minus);
#pragma omp simd
    for (std::int64_t i = 0; i < 2 * points; ++i) t[i] = factor * t[i] - before * m[i];
  };
  Complex *older = u, *newer = x, *next = y;
  h.apply(shifted, older, newer);
  scaled(newer, sigma / half, 0.0, older);
  for (int i = 2; i <= degree; ++i) {
    const double following = 1 / (2 / first - sigma);
    h.apply(shifted, newer, next);
    scaled(next, 2 * following / half, sigma * following, older);
    sigma = following;
    std::swap(older, newer);
    std::swap(newer, next);
  }
  if (newer != u) std::copy_n(newer, points, u);
}

}  // namespace

GroundStateSolver::GroundStateSolver(const System& system, Range k_range, GroundStateOptions options, Reduce reduce,
                                     SameK same_k)
    : system_(system),
      options_(std::move(options)),
      reduce_(std::move(reduce)),
      same_k_(std::move(same_k)),
      symmetriser_(system.grid, system.reduction),
      hartree_(std::make_unique<Hartree>(system.grid)),
      mixing_(options_.history, options_.mixing),
      density_in_(first_density(system.grid, system.atoms, first_width)) {
  const std::int64_t points = system_.grid.size();
  state_.k_range = k_range;
  state_.bands = system_.bands() + options_.guard_bands;
  state_.mine = same_k_.part(system_.bands());
  if (state_.bands > points)
    refuse("a grid of " + std::to_string(points) + " points is too coarse for " + std::to_string(state_.bands) +
           " bands; use a finer grid");
  const std::int64_t count = k_range.size() * state_.bands;
  state_.orbitals = Buffer<Complex>(static_cast<std::size_t>(count * points), Pages::huge, "the orbitals");
  state_.eigenvalues.resize(static_cast<std::size_t>(count));
  for (std::int64_t k = k_range.first; k < k_range.last; ++k)
    hamiltonians_.emplace_back(system_, system_.k_points[static_cast<std::size_t>(k)].k, options_.stencil);
  find_pairs();
#pragma omp parallel for
  for (std::int64_t item = 0; item < count; ++item) {
    const RandomStream random(options_.seed, static_cast<std::uint64_t>(k_range.first * state_.bands + item));
    auto* const numbers = reinterpret_cast<double*>(state_.orbitals.data() + item * points);
    for (std::int64_t i = 0; i < 2 * points; ++i) numbers[i] = random.uniform(static_cast<std::uint64_t>(i)) - 0.5;
  }
}

void GroundStateSolver::find_pairs() {
  const std::vector<Symmetry> group = symmetries(system_.reduction);
  const auto k_of = [&](std::int64_t i) {
    return system_.k_points[static_cast<std::size_t>(state_.k_range.first + i)].k;
  };
  for (std::int64_t at = 0; at < state_.k_range.size(); ++at) {
    const std::size_t before = pairs_.size();
    for (std::size_t i = 0; options_.time_reversal && i < computed_.size() && pairs_.size() == before; ++i)
      if (const auto g = opposite_by(group, k_of(computed_[i]), k_of(at))) pairs_.push_back({at, computed_[i], *g});
    if (pairs_.size() == before) computed_.push_back(at);
  }
}

// Bands and eigenvalues of all pairs from those that were computed.
void GroundStateSolver::mirror() {
  const std::int64_t points = system_.grid.size(), bands = state_.bands;
#pragma omp parallel for collapse(2)
  for (std::size_t p = 0; p < pairs_.size(); ++p)
    for (std::int64_t b = 0; b < bands; ++b) {
      const Complex* const from = state_.orbitals.data() + (pairs_[p].of * bands + b) * points;
      Complex* const to = state_.orbitals.data() + (pairs_[p].at * bands + b) * points;
      const std::int32_t* const image =
          pairs_[p].symmetry == 0 ? nullptr : symmetriser_.images(pairs_[p].symmetry).data();
      for (std::int64_t i = 0; i < points; ++i) to[image == nullptr ? i : image[i]] = std::conj(from[i]);
    }
  for (const Pair& pair : pairs_)
    std::copy_n(state_.eigenvalues.data() + pair.of * bands, bands, state_.eigenvalues.data() + pair.at * bands);
}

// Energy below which free electrons have three times as many states as there are bands.
double GroundStateSolver::first_cut() const {
  const double states = 3.0 * state_.bands;
  return std::pow(6 * std::numbers::pi * std::numbers::pi * states / system_.grid.volume(), 2.0 / 3) / 2;
}

void GroundStateSolver::filter(const std::vector<double>& potential, bool first) {
  const std::int64_t points = system_.grid.size();
  const int bands = state_.bands;
  const double highest = *std::max_element(potential.begin(), potential.end());
  const double lowest = *std::min_element(potential.begin(), potential.end());
  std::vector<Interval> intervals;
  std::vector<std::vector<double>> shifted;
  for (std::size_t k = 0; k < hamiltonians_.size(); ++k) {
    const double* const values = state_.eigenvalues.data() + k * static_cast<std::size_t>(bands);
    Interval interval{values[0], values[bands - 1], hamiltonians_[k].largest(highest)};
    if (first) interval = {lowest / 4, first_cut(), interval.highest};
    intervals.push_back(interval);
    shifted.push_back(potential);
    for (double& v : shifted.back()) v -= (interval.highest + interval.cut) / 2;
  }
  const Range mine = same_k_.part(bands);
  const std::int64_t count = computed() * mine.size();
#pragma omp parallel
  {
    std::vector<Complex> x(static_cast<std::size_t>(points)), y(x);
#pragma omp for schedule(dynamic)
    for (std::int64_t item = 0; item < count; ++item) {
      const auto k = static_cast<std::size_t>(computed_[static_cast<std::size_t>(item / mine.size())]);
      const std::int64_t band = mine.first + item % mine.size();
      Complex* const u = state_.orbitals.data() + (static_cast<std::int64_t>(k) * bands + band) * points;
      chebyshev(hamiltonians_[k], intervals[k], options_.degree, shifted[k].data(), points, u, x.data(), y.data());
    }
  }
  if (!same_k_.shared()) return;
  for (const std::int64_t k : computed_)
    same_k_.gather(reinterpret_cast<double*>(state_.orbitals.data() + k * bands * points), 2 * points, bands);
}

// Of as many k-points as threads, each thread rotates the bands of one; all threads share those of every k that is
// left.
void GroundStateSolver::rotate(const std::vector<double>& potential) {
  const std::int64_t points = system_.grid.size(), bands = state_.bands;
  const std::int64_t count = computed(), threads = omp_get_max_threads();
  const std::int64_t alone = same_k_.shared() ? 0 : count - count % threads;  // only the first thread may exchange
  const double dv = system_.grid.point_volume();
  const BlasOnOneThread one;
  bool independent = true, diagonal = true;
  const auto rotate_one = [&](Subspace& subspace, std::int64_t i) {
    const std::int64_t k = computed_[static_cast<std::size_t>(i)];
    subspace.rotate(hamiltonians_[static_cast<std::size_t>(k)], potential.data(),
                    state_.orbitals.data() + k * bands * points, state_.eigenvalues.data() + k * bands);
  };
  if (alone > 0) {
#pragma omp parallel reduction(&& : independent, diagonal)
    {
      Subspace subspace(bands, points, dv);
#pragma omp for schedule(dynamic)
      for (std::int64_t k = 0; k < alone; ++k) rotate_one(subspace, k);
      independent = subspace.independent();
      diagonal = subspace.diagonal();
    }
  }
  if (alone < count) {
    std::optional<Subspace> subspace;
#pragma omp parallel num_threads(team_size(points, static_cast <int>(threads)))
    {
#pragma omp single
      subspace.emplace(bands, points, dv, omp_get_num_threads(), same_k_);
      for (std::int64_t k = alone; k < count; ++k) rotate_one(*subspace, k);
    }
    independent = independent && subspace->independent();
    diagonal = diagonal && subspace->diagonal();
  }
  mirror();
  double failed[2]{independent ? 0.0 : 1.0, diagonal ? 0.0 : 1.0};
  reduce_(failed, 2);
  if (failed[0] > 0) impossible("bands of the ground state became dependent; use fewer guard bands or a finer grid");
  if (failed[1] > 0) impossible("LAPACK could not diagonalise the ground state's subspace; is its library sound?");
}

bool GroundStateSolver::step() {
  if (state_.converged || state_.iterations >= options_.most_iterations) return false;
  Energies unused;
  std::vector<double> potential;
  potential_of(system_, *hartree_, density_in_, potential, unused);
  const int passes = state_.iterations == 0 ? first_passes : 1;
  for (int pass = 0; pass < passes; ++pass) {
    filter(potential, state_.iterations == 0 && pass == 0);
    rotate(potential);
  }
  state_.density = density_of(system_, symmetriser_, state_.occupied(), reduce_);
  potential_of(system_, *hartree_, state_.density, state_.potential, state_.energies);
  energies_of_orbitals(system_, state_.occupied(), {0, 0, 0}, options_.stencil, reduce_, state_.energies);
  state_.residual = 0;
  for (std::size_t i = 0; i < density_in_.size(); ++i)
    state_.residual += std::abs(state_.density[i] - density_in_[i]) * system_.grid.point_volume();
  state_.converged = state_.residual <= options_.tolerance;
  ++state_.iterations;
  density_in_ = mixing_.next(density_in_, state_.density);
  return true;
}

void GroundStateSolver::hold(const std::vector<double>& potential, const Complex* orbitals) {
  std::copy_n(orbitals, state_.orbitals.size(), state_.orbitals.data());
  rotate(potential);
}

void GroundStateSolver::refine(const std::vector<double>& potential, int passes) {
  for (int pass = 0; pass < passes; ++pass) {
    filter(potential, false);
    rotate(potential);
  }
}

void GroundStateSolver::save(std::ostream& out) const {
  const std::int64_t numbers[3]{state_.iterations, state_.converged ? 1 : 0,
                                static_cast<std::int64_t>(mixing_.steps().size())};
  put(out, numbers, 3);
  put(out, &state_.residual, 1);
  put(out, &state_.energies, 1);
  put(out, state_.orbitals.data(), state_.orbitals.size());
  put(out, state_.eigenvalues.data(), state_.eigenvalues.size());
  put(out, density_in_.data(), density_in_.size());
  for (const AndersonMixing::Step& step : mixing_.steps()) {
    put(out, step.in.data(), step.in.size());
    put(out, step.residual.data(), step.residual.size());
  }
}

bool GroundStateSolver::restore(std::istream& in) {
  std::int64_t numbers[3]{};
  const std::size_t points = density_in_.size();
  bool complete = get(in, numbers, 3) && get(in, &state_.residual, 1) && get(in, &state_.energies, 1) &&
                  get(in, state_.orbitals.data(), state_.orbitals.size()) &&
                  get(in, state_.eigenvalues.data(), state_.eigenvalues.size()) && get(in, density_in_.data(), points);
  if (!complete || numbers[2] < 0 || numbers[2] > options_.history) return false;
  std::deque<AndersonMixing::Step> steps;
  for (std::int64_t i = 0; complete && i < numbers[2]; ++i) {
    steps.push_back({std::vector<double>(points), std::vector<double>(points)});
    complete = get(in, steps.back().in.data(), points) && get(in, steps.back().residual.data(), points);
  }
  if (!complete) return false;
  mixing_.restore(std::move(steps));
  state_.iterations = static_cast<int>(numbers[0]);
  state_.converged = numbers[1] != 0;
  state_.density = density_of(system_, symmetriser_, state_.occupied(), reduce_);
  potential_of(system_, *hartree_, state_.density, state_.potential, state_.energies);
  return true;
}

GroundState ground_state(const System& system, Range k_range, const GroundStateOptions& options, const Reduce& reduce,
                         const SameK& same_k) {
  GroundStateSolver solver(system, k_range, options, reduce, same_k);
  while (solver.step()) {
  }
  return std::move(solver).take();
}

std::int64_t ground_state_bytes(const System& system, std::int64_t k_count, int guard_bands, int threads) {
  const std::int64_t points = system.grid.size(), bands = system.bands() + guard_bands;
  const std::int64_t orbital = points * static_cast<std::int64_t>(sizeof(Complex));
  std::int64_t phases = 0;
  for (const AtomProjectors& atom : system.projectors)
    phases += atom.count() * static_cast<std::int64_t>(sizeof(Complex));
  return k_count * (bands * orbital + phases + points * static_cast<std::int64_t>(sizeof(double))) +
         threads * images_at_once * orbital;
}

void require_memory(std::int64_t bytes_of_a_rank, int ranks, std::int64_t available) {
  const auto gib = [](std::int64_t bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g GiB", static_cast<double>(bytes) / (1 << 30));
    return std::string(text);
  };
  const std::int64_t needed = bytes_of_a_rank * ranks;
  if (needed <= available) return;
  impossible("the orbitals need " + gib(needed) + " on a node (" + gib(bytes_of_a_rank) + " a rank), but " +
             gib(available) + " are available; use fewer k-points, a coarser grid or more nodes");
}

}  // namespace tenken::dft
