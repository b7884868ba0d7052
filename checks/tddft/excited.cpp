#include "excited.hpp"

#include <cmath>
#include <limits>

namespace tenken::tddft {

namespace {

// Filters from the bands at k to those at k + A. They go on until the count changes by less than `settled` electrons;
// bands that cross converge slowly.
constexpr int passes = 4;
constexpr double settled = 1e-7;

double outside(const dft::System& system, const dft::Share& share, const dft::Complex* ground, std::int64_t stored,
               const std::vector<dft::Complex>& orbitals) {
  const Range k_range = share.k;
  const std::int64_t points = system.grid.size(), bands = share.bands.size(), occupied = system.bands();
  const double dv = system.grid.point_volume();
  std::vector<double> lost(static_cast<std::size_t>(k_range.size()));
#pragma omp parallel for
  for (std::int64_t k = 0; k < k_range.size(); ++k) {
    const dft::Complex* const now = orbitals.data() + k * bands * points;
    double sum = 0;
    for (std::int64_t b = 0; b < bands; ++b) {
      const dft::Complex* const u = now + b * points;
      double norm = 0;
      for (std::int64_t p = 0; p < points; ++p) norm += std::norm(u[p]) * dv;
      for (std::int64_t o = 0; o < occupied; ++o) {
        const dft::Complex* const v = ground + (k * stored + o) * points;
        dft::Complex overlap = 0;
        for (std::int64_t p = 0; p < points; ++p) overlap += std::conj(v[p]) * u[p];
        norm -= std::norm(overlap * dv);
      }
      sum += norm;
    }
    const auto& point = system.k_points[static_cast<std::size_t>(k_range.first + k)];
    lost[static_cast<std::size_t>(k)] = dft::System::occupation * point.weight * sum;
  }
  double all = 0;
  for (const double x : lost) all += x;
  return all;
}

}  // namespace

Excited::Excited(const dft::System& system, dft::GroundState ground, dft::GroundStateOptions options, dft::SameK same_k,
                 int rounds)
    : system_(system),
      ground_(std::move(ground)),
      options_(std::move(options)),
      same_k_(std::move(same_k)),
      rounds_(rounds) {}

double Excited::operator()(const Electrons& electrons, const dft::Reduce& reduce) const {
  const dft::Vector a = electrons.a();
  const auto orbitals = electrons.orbitals();
  const auto count = [&](const dft::GroundState& bands) {
    double sum = outside(system_, electrons.share(), bands.orbitals.data(), bands.bands, orbitals);
    reduce(&sum, 1);
    return sum;
  };
  if (a == dft::Vector{}) return count(ground_);
  dft::System shifted = system_;
  for (dft::KPoint& point : shifted.k_points) {
    for (std::size_t d = 0; d < 3; ++d) point.k[d] += a[d];
  }
  dft::GroundStateSolver solver(shifted, ground_.k_range, options_, reduce, same_k_);
  solver.hold(ground_.potential, ground_.orbitals.data());
  double before = count(solver.state());
  for (int round = 0; round < rounds_; ++round) {
    solver.refine(ground_.potential, passes);
    const double now = count(solver.state());
    if (std::abs(now - before) < settled) return now;
    before = now;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace tenken::tddft
