#include "excited.hpp"

namespace tenken::tddft {

namespace {

// Filters from the bands at k to those at k + A: each leaves at most a thousandth of what does not belong there.
constexpr int passes = 6;

double outside(const dft::System& system, Range k_range, const dft::Complex* ground, std::int64_t stored,
               const std::vector<dft::Complex>& orbitals) {
  const std::int64_t points = system.grid.size(), bands = system.bands();
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
      for (std::int64_t o = 0; o < bands; ++o) {
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

Excited::Excited(const dft::System& system, dft::GroundState ground, dft::GroundStateOptions options)
    : system_(system), ground_(std::move(ground)), options_(std::move(options)) {}

double Excited::operator()(const Electrons& electrons, const dft::Reduce& reduce) const {
  const dft::Vector a = electrons.a();
  const auto orbitals = electrons.orbitals();
  double sum = 0;
  if (a == dft::Vector{}) {
    sum = outside(system_, ground_.k_range, ground_.orbitals.data(), ground_.bands, orbitals);
  } else {
    dft::System shifted = system_;
    for (dft::KPoint& point : shifted.k_points) {
      for (std::size_t d = 0; d < 3; ++d) point.k[d] += a[d];
    }
    dft::GroundStateSolver solver(shifted, ground_.k_range, options_, reduce);
    solver.hold(ground_.potential, ground_.orbitals.data(), passes);
    sum = outside(system_, ground_.k_range, solver.state().orbitals.data(), solver.state().bands, orbitals);
  }
  reduce(&sum, 1);
  return sum;
}

}  // namespace tenken::tddft
