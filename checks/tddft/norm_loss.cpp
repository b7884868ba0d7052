#include "norm_loss.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "base/error.hpp"
#include "course.hpp"
#include "measure/section.hpp"
#include "numerics/dft/hamiltonian.hpp"
#include "this_check.hpp"

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

Moments moments_of(const dft::System& system, const dft::GroundState& ground, const dft::Vector& a) {
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
  double most = 0, seventh = 0;
#pragma omp parallel for reduction(max : most) reduction(+ : seventh)
  for (int band = 0; band < system.bands(); ++band) {
    const dft::Complex* const first =
        ground.orbitals.data() +
        (static_cast<std::size_t>(farthest - ground.k_range.first) * static_cast<std::size_t>(ground.bands) +
         static_cast<std::size_t>(band)) *
            points;
    std::vector<dft::Complex> u(first, first + points), next(points);
    for (int power = 0; power < 4; ++power) {
      if (power > 0) u.swap(next);
      dft::apply_plain(stencil, ground.potential.data(), u.data(), next.data());
      nonlocal.add(u.data(), next.data());
    }
    double sum = 0, product = 0;  // u = H^3, next = H^4 of the orbital
    for (std::size_t p = 0; p < points; ++p) {
      sum += std::norm(u[p]);
      product += (std::conj(u[p]) * next[p]).real();
    }
    most = std::max(most, sum * system.grid.point_volume());
    seventh += dft::System::occupation * product * system.grid.point_volume();
  }
  return {most, std::abs(seventh)};
}

double loss_of_a_step(double moment, double dt, Propagator propagator) {
  return expansions(propagator) * std::pow(dt / expansions(propagator), 6) * moment / 72;
}

double longest_step(double moment, double allowed, Propagator propagator) {
  return expansions(propagator) * std::pow(72 * allowed / (expansions(propagator) * moment), 1.0 / 6);
}

Moments mean_moments(const dft::System& system, const dft::GroundState& ground, const Settings& settings, int steps) {
  constexpr int samples = 8;
  const double duration = settings.dt * steps;
  Moments sum;
  for (int i = 0; i < samples; ++i) {
    dft::Vector a{};
    a[settings.axis] = settings.pulse.a(duration * (i + 0.5) / samples);
    const Moments here = moments_of(system, ground, a);
    sum.sixth += here.sixth / samples;
    sum.seventh += here.seventh / samples;
    advanced();
  }
  return sum;
}

double most_work(const dft::System& system, const Settings& settings, int steps) {
  const auto a = [&](int step) { return settings.pulse.a(settings.dt * step); };
  double sum = a(0) * a(0) / 2;
  for (int i = 1; i <= steps; ++i) sum += std::abs((a(i) + a(i - 1)) / 2 * (a(i) - a(i - 1)));
  return system.electrons * sum;
}

void require_proofs(const Check& check, const dft::System& system, const dft::GroundState& ground,
                    const Settings& settings, int steps) {
  constexpr double margin = 2;  // orbitals that a fast pulse has moved lose up to 1.8 times the estimate
  const Moments mean = mean_moments(system, ground, settings, steps);
  const double sixth = margin * check.max_over_ranks(mean.sixth), seventh = check.max_over_ranks(mean.seventh);
  const double work =
      this_check::validity::work.tolerance * (most_work(system, settings, steps) + least_work) / std::max(steps, 1);
  const double of_norm = loss_of_a_step(sixth, settings.dt, settings.propagator);
  const double of_energy = loss_of_a_step(seventh, settings.dt, settings.propagator);
  if (of_norm <= norm_of_a_step && of_energy <= work) return;
  const double longest = std::min(longest_step(sixth, norm_of_a_step, settings.propagator),
                                  longest_step(seventh, work, settings.propagator));
  const bool norm = of_norm / norm_of_a_step > of_energy / work;
  char text[240];
  std::snprintf(text, sizeof text,
                "dt %g may lose %.1e %s in a step, but the proof of the %s allows %.1e; use dt %s or less", settings.dt,
                norm ? of_norm : of_energy, norm ? "of the norm of an orbital" : "Ha of the energy",
                norm ? "norm" : "work of the light", norm ? norm_of_a_step : work, rounded_down(longest).c_str());
  refuse(text);
}

}  // namespace tenken::tddft
