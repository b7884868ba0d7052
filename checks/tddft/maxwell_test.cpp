#include "maxwell.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "lorentz.hpp"

using namespace tenken;
using namespace tenken::tddft;

namespace {

const Pulse light_pulse{Shape::asin2cos, 0.15, 0.15, 150, 0};  // |a| up to 1

double energy_of(const LightGrid& grid, const Light& light) {
  std::vector<double> now, next;
  for (std::int64_t i = 0; i < grid.size(); ++i) {
    now.push_back(light.now(i));
    next.push_back(light.next(i));
  }
  return field_energy(grid, now, next);
}

// Largest difference from the pulse that travels at c, when it is inside of the grid.
double off_course(int finer) {
  const LightGrid grid{.vacuum = 1, .film = 1000 * finer, .spacing = 50.0 / finer, .dt = 0.3 / finer};
  Light light(grid, {0, grid.size()}, light_pulse);
  const std::vector<double> nothing(static_cast<std::size_t>(grid.size()));
  constexpr double when = 330;
  while (light.steps() * grid.dt < when) light.step(nothing);
  double worst = 0, largest = 0;
  for (std::int64_t i = 0; i < grid.size(); ++i) {
    const double t = static_cast<double>(light.steps()) * grid.dt;
    const double expected = light_pulse.a(t - static_cast<double>(i) * grid.spacing / light_speed);
    worst = std::max(worst, std::abs(light.now(i) - expected));
    largest = std::max(largest, std::abs(light.now(i)));
  }
  CHECK(largest > 0.9);
  return worst;
}

// By the trapezoidal rule: at both ends there is nothing.
std::complex<double> transform(const std::vector<double>& values, double w, double dt) {
  std::complex<double> sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += values[i] * std::polar(dt, w * dt * static_cast<double>(i));
  return sum;
}

}  // namespace

TEST_CASE("a pulse in vacuum travels at c, to second order of the mesh") {
  const double coarse = off_course(1), fine = off_course(2);
  CHECK(coarse < 4e-3);
  CHECK(coarse / fine == doctest::Approx(4).epsilon(0.1));
}

TEST_CASE("in vacuum the energy stays, and leaves through the ends") {
  const LightGrid grid{.vacuum = 1, .film = 1000, .spacing = 50, .dt = 0.3};
  Light light(grid, {0, grid.size()}, light_pulse);
  const std::vector<double> nothing(static_cast<std::size_t>(grid.size()));
  double entered = 0, first = 0, last = 0;
  for (int n = 0; n < 2000; ++n) {
    light.step(nothing);
    const double now = energy_of(grid, light);
    entered = std::max(entered, light.entered());
    CHECK(std::abs(now - light.entered()) < 1e-10 * entered);
    if (n == 550) first = now;  // all inside: 165 of 150 to 365 atomic units
    if (n == 1200) last = now;
  }
  CHECK(first > 0.99 * entered);
  CHECK(std::abs(last / first - 1) < 1e-6);
  CHECK(energy_of(grid, light) < 1e-6 * first);
}

TEST_CASE("a film of a Lorentz medium reflects and lets through what Fresnel says") {
  const LightGrid grid{.vacuum = 4, .film = 50, .spacing = 20, .dt = 0.1};
  Light light(grid, {0, grid.size()}, light_pulse);
  std::vector<Lorentz> medium(static_cast<std::size_t>(grid.film));
  std::vector<double> current(static_cast<std::size_t>(grid.size())), incident, reflected, transmitted;
  double work = 0, greatest = 0;
  for (int n = 0; n < 9000; ++n) {
    for (std::size_t p = 0; p < medium.size(); ++p) {
      const auto at = static_cast<std::int64_t>(p) + grid.vacuum;
      current[static_cast<std::size_t>(at)] = medium[p].step(light.now(at), light.next(at), grid.dt);
    }
    light.step(current);
    for (std::int64_t i = 0; i < grid.size(); ++i) {
      work += grid.spacing * grid.dt * light.velocity(i) * current[static_cast<std::size_t>(i)];
    }
    greatest = std::max(greatest, light.entered());
    CHECK(std::abs(energy_of(grid, light) + work - light.entered()) < 1e-10 * greatest);
    incident.push_back(light.incident());
    reflected.push_back(light.now(0) - light.incident());
    transmitted.push_back(light.now(grid.size() - 1));
  }
  double least = 1, most = 0;
  for (double w = 0.1; w < 0.2; w += 0.01) {
    const std::complex<double> in = transform(incident, w, grid.dt);
    const double r = std::norm(transform(reflected, w, grid.dt) / in);
    const double t = std::norm(transform(transmitted, w, grid.dt) / in);
    const Fresnel expected = fresnel(medium[0].epsilon(w), w, static_cast<double>(grid.film) * grid.spacing);
    CHECK(r == doctest::Approx(std::norm(expected.reflected)).epsilon(0.02));
    CHECK(t == doctest::Approx(std::norm(expected.transmitted)).epsilon(0.02));
    least = std::min(least, r);
    most = std::max(most, r);
  }
  CHECK(most > 2 * least);
}
