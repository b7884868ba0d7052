// What a crystal answers to light: time reversal, equal axes, the sum rule, electrons that left their bands.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "coarse_silicon.hpp"
#include "dielectric.hpp"
#include "electrons.hpp"
#include "excited.hpp"
#include "testing/sanitized.hpp"

using namespace tenken;
using namespace tenken::tddft;

namespace {

void step(Electrons& electrons, int times) {
  for (int i = 0; i < times; ++i) {
    electrons.propagate();
    electrons.take_sums();
    electrons.hartree();
    electrons.exchange_correlation();
    electrons.finish_step();
  }
}

const Pulse light{Shape::asin2cos, 0.05, 0.3, 4.0, 0};

}  // namespace

TEST_CASE("with all turned around the electrons go back to where they came from" * doctest::skip(testing::sanitized)) {
  const dft::System system = silicon(1, {2, 1, 2});  // each k with its opposite
  const dft::GroundState start = ground(system);
  const std::int64_t points = system.grid.size(), of_k = system.bands() * points;
  Settings settings;
  settings.form = {Layout::bands, 64};
  settings.pulse = light;
  constexpr int steps = 160;
  settings.dt = light.length / steps;
  Electrons there(system, start, settings, 2);
  const auto before = there.orbitals();
  step(there, steps);
  const auto end = there.orbitals();
  // Complex conjugates at -k, and A changes its sign: sin^2 cos is the same from its end to its start.
  dft::GroundState turned;
  turned.k_range = start.k_range;
  turned.bands = system.bands();
  turned.mine = start.mine;
  turned.density = there.density();
  turned.potential = there.potential();
  turned.orbitals = Buffer<dft::Complex>(end.size(), Pages::any, "orbitals");
  const auto opposite = [&](std::size_t k) {
    for (std::size_t other = 0; other < system.k_points.size(); ++other) {
      double far = 0;
      for (std::size_t d = 0; d < 3; ++d) far += std::abs(system.k_points[k].k[d] + system.k_points[other].k[d]);
      if (far < 1e-12) return static_cast<std::int64_t>(other);
    }
    return std::int64_t{-1};
  };
  const auto conjugate = [&](const std::vector<dft::Complex>& from, dft::Complex* to) {
    for (std::size_t k = 0; k < system.k_points.size(); ++k) {
      for (std::int64_t i = 0; i < of_k; ++i) {
        to[static_cast<std::int64_t>(k) * of_k + i] = std::conj(from[static_cast<std::size_t>(opposite(k) * of_k + i)]);
      }
    }
  };
  conjugate(end, turned.orbitals.data());
  settings.pulse.amplitude = -light.amplitude;
  Electrons back(system, turned, settings, 2);
  step(back, steps);
  std::vector<dft::Complex> expected(before.size());
  conjugate(before, expected.data());
  const auto found = back.orbitals();
  double worst = 0, moved = 0;
  for (std::size_t first = 0; first < found.size(); first += static_cast<std::size_t>(points)) {
    double off = 0, way = 0;
    for (std::size_t p = first; p < first + static_cast<std::size_t>(points); ++p) {
      off += std::norm(found[p] - expected[p]) * system.grid.point_volume();
      way += std::norm(end[p] - before[p]) * system.grid.point_volume();
    }
    worst = std::max(worst, std::sqrt(off));
    moved = std::max(moved, std::sqrt(way));
  }
  CHECK(moved > 0.1);
  CHECK(worst < 1e-6);
}

TEST_CASE("a cubic crystal answers alike along its axes, and its spectrum holds all electrons") {
  Settings settings;
  settings.form = {Layout::bands, 64};
  settings.pulse = {Shape::step, 0.005, 0, 0, 0};
  settings.dt = 0.08;
  constexpr int short_run = testing::sanitized ? 3 : 10, long_run = testing::sanitized ? short_run : 250;
  std::vector<double> along;
  {
    const dft::System system = silicon(1);
    const dft::GroundState start = ground(system);
    for (const std::size_t axis : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
      if (testing::sanitized && axis == 1) {
        along.push_back(along[0]);
        continue;
      }
      settings.axis = axis;
      Electrons electrons(system, start, settings, 2);
      step(electrons, short_run);
      along.push_back(electrons.current()[axis]);
    }
  }
  // Along z a reduced set of k moves as the full one: the long run takes a quarter of the k-points.
  const dft::System system = silicon(4);
  Response response{{}, settings.pulse.amplitude, settings.dt};
  Electrons electrons(system, ground(system), settings, 2);
  electrons.measure();
  electrons.take_sums();
  response.current.push_back(electrons.current()[2]);
  for (int i = 0; i < long_run; ++i) {
    step(electrons, 1);
    response.current.push_back(electrons.current()[2]);
  }
  CHECK(std::abs(response.current[short_run] / along[2] - 1) < 1e-6);
  CHECK(along[0] == doctest::Approx(along[2]).epsilon(1e-6));
  CHECK(along[1] == doctest::Approx(along[2]).epsilon(1e-6));
  if (testing::sanitized) return;
  CHECK(std::abs(along[2] / response.current[0] - 1) > 0.05);
  CHECK(std::abs(response.sum_rule(sum_rule_cut(settings.dt)) - 1) < 0.02);
  CHECK(response.sum_rule(0.1) < 0.5);
}

TEST_CASE("electrons leave their bands with the square of A, and none at rest") {
  const dft::System system = silicon(4);
  dft::GroundStateOptions options;
  options.tolerance = 1e-11;
  std::vector<double> excited;
  for (const double a : {0.0, 0.005, 0.01}) {
    if (testing::sanitized && a == 0.01) continue;
    Settings settings;
    settings.form = {Layout::bands, 64};
    settings.pulse = {Shape::step, a, 0, 0, 0};
    dft::GroundState start = ground(system);
    Electrons electrons(system, start, settings, 2);
    if (a == 0.005) CHECK(std::isnan(Excited(system, ground(system), options, {}, 0)(electrons, dft::alone)));
    const Excited count(system, std::move(start), options);
    if (a == 0) step(electrons, 3);
    excited.push_back(count(electrons, dft::alone));
  }
  CHECK(std::abs(excited[0]) < 1e-9);
  CHECK(excited[1] > 1e-6);
  if (testing::sanitized) return;
  CHECK(excited[2] / excited[1] == doctest::Approx(4).epsilon(0.01));
}
