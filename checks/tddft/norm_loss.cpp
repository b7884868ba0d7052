#include "norm_loss.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "base/error.hpp"
#include "measure/section.hpp"
#include "numerics/dft/hamiltonian.hpp"

namespace tenken::tddft {

namespace {

// Expansions of a step, each over dt / expansions.
int expansions(Propagator propagator) { return propagator == Propagator::aetrs ? 2 : 1; }

std::string rounded_down(double x) {
  const double unit = std::pow(10, std::floor(std::log10(x)) - 1);
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", std::floor(x / unit) * unit);
  return text;
}

}  // namespace

double sixth_moment(const dft::System& system, const dft::GroundState& ground, const dft::Vector& a) {
  std::int64_t farthest = ground.k_range.first;
  const auto moved = [&](std::int64_t k) {
    dft::Vector at = system.k_points[static_cast<std::size_t>(k)].k;
    for (std::size_t d = 0; d < 3; ++d) at[d] += a[d];
    return at;
  };
  const auto length = [](const dft::Vector& v) { return std::hypot(v[0], v[1], v[2]); };
  for (std::int64_t k = ground.k_range.first; k < ground.k_range.last; ++k) {
    if (length(moved(k)) > length(moved(farthest))) farthest = k;
  }
  const dft::Vector at = moved(farthest);
  const dft::Stencil stencil(system.grid, at);
  const dft::Nonlocal nonlocal(system, at);
  const auto points = static_cast<std::size_t>(system.grid.size());
  double most = 0;
#pragma omp parallel for reduction(max : most)
  for (int band = 0; band < system.bands(); ++band) {
    const dft::Complex* const first =
        ground.orbitals.data() +
        (static_cast<std::size_t>(farthest - ground.k_range.first) * static_cast<std::size_t>(ground.bands) +
         static_cast<std::size_t>(band)) *
            points;
    std::vector<dft::Complex> u(first, first + points), next(points);
    for (int power = 0; power < 3; ++power) {
      dft::apply_plain(stencil, ground.potential.data(), u.data(), next.data());
      nonlocal.add(u.data(), next.data());
      u.swap(next);
    }
    double sum = 0;
    for (const dft::Complex& x : u) sum += std::norm(x);
    most = std::max(most, sum * system.grid.point_volume());
  }
  return most;
}

double norm_loss(double sixth_moment, double dt, Propagator propagator) {
  return expansions(propagator) * std::pow(dt / expansions(propagator), 6) * sixth_moment / 72;
}

double longest_step(double sixth_moment, Propagator propagator) {
  return expansions(propagator) * std::pow(72 * norm_of_a_step / (expansions(propagator) * sixth_moment), 1.0 / 6);
}

double mean_moment(const dft::System& system, const dft::GroundState& ground, const Settings& settings, int steps) {
  constexpr int samples = 8;
  const double duration = settings.dt * steps;
  double sum = 0;
  for (int i = 0; i < samples; ++i) {
    dft::Vector a{};
    a[settings.axis] = settings.pulse.a(duration * (i + 0.5) / samples);
    sum += sixth_moment(system, ground, a);
    advanced();
  }
  return sum / samples;
}

void require_norm(const Check& check, const dft::System& system, const dft::GroundState& ground,
                  const Settings& settings, int steps) {
  constexpr double margin = 2;  // orbitals that a fast pulse has moved lose up to 1.8 times the estimate
  const double moment = margin * check.max_over_ranks(mean_moment(system, ground, settings, steps));
  const double lost = norm_loss(moment, settings.dt, settings.propagator);
  if (lost <= norm_of_a_step) return;
  char text[160];
  std::snprintf(text, sizeof text,
                "dt %g may lose %.1e of the norm of an orbital in a step, but the proof allows %.0e; use dt %s or less",
                settings.dt, lost, norm_of_a_step, rounded_down(longest_step(moment, settings.propagator)).c_str());
  refuse(text);
}

}  // namespace tenken::tddft
