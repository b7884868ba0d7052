// The norm that a run will lose, before it starts, against what steps take off the orbitals.
#include "norm_loss.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "coarse_silicon.hpp"
#include "proofs.hpp"
#include "steps.hpp"

using namespace tenken;
using namespace tenken::tddft;

namespace {

std::size_t farthest_k(const dft::System& system, const dft::Vector& a) {
  const auto length = [&](const dft::KPoint& at) { return std::hypot(at.k[0] + a[0], at.k[1] + a[1], at.k[2] + a[2]); };
  const auto longest = std::max_element(system.k_points.begin(), system.k_points.end(),
                                        [&](const auto& x, const auto& y) { return length(x) < length(y); });
  return static_cast<std::size_t>(longest - system.k_points.begin());
}

}  // namespace

TEST_CASE("the estimated loss is what one step takes off the norm, and the longest step loses what is allowed") {
  const dft::System system = silicon(4);
  const dft::GroundState start = ground(system);
  const auto points = static_cast<std::size_t>(system.grid.size());
  for (const Propagator propagator : {Propagator::midpoint, Propagator::aetrs}) {
    Settings settings;
    settings.form = {Layout::bands, 64};
    settings.propagator = propagator;
    settings.pulse = {Shape::step, 0.5, 0, 0, 0};
    settings.dt = 0.1;
    Electrons electrons(system, start, settings, 1);
    electrons.propagate();
    const auto after = electrons.orbitals();
    // Of the same k as the moment: bands of one energy mix differently at another k, and in another build.
    const dft::Vector a{0, 0, 0.5};
    const std::size_t bands = static_cast<std::size_t>(system.bands()), farthest = farthest_k(system, a);
    double lost = 0;
    for (std::size_t first = farthest * bands * points; first < (farthest + 1) * bands * points; first += points) {
      double norm = 0;
      for (std::size_t p = 0; p < points; ++p) norm += std::norm(after[first + p]);
      lost = std::max(lost, 1 - norm * system.grid.point_volume());
    }
    const double moment = moments_of(system, start, a).sixth;
    CHECK(lost > 1e-9);
    CHECK(std::abs(loss_of_a_step(moment, settings.dt, propagator) / lost - 1) < 0.1);
    CHECK(
        std::abs(loss_of_a_step(moment, longest_step(moment, norm_of_a_step, propagator), propagator) / norm_of_a_step -
                 1) < 1e-12);
    CHECK(std::abs(mean_moments(system, start, settings, 100).sixth / moment - 1) < 1e-12);
    CHECK(moments_of(system, start, {}).sixth < 0.1 * moment);
  }
}

TEST_CASE(
    "without light the energy that steps lose is the estimate, and light may do as much work as on free electrons") {
  const dft::System system = silicon(4);
  const dft::GroundState start = ground(system);
  for (const Propagator propagator : {Propagator::midpoint, Propagator::aetrs}) {
    Settings settings;
    settings.form = {Layout::bands, 64};
    settings.propagator = propagator;
    settings.pulse = {Shape::none, 0, 0, 0, 0};
    settings.dt = propagator == Propagator::aetrs ? 0.25 : 0.15;
    Electrons electrons(system, {start.k_range, start.mine}, settings, 1);
    Course course;
    begin(electrons, course, system, start, dft::alone);
    constexpr int steps = 20;
    for (int i = 0; i < steps; ++i) {
      electrons.propagate();
      electrons.take_sums();
      electrons.hartree();
      electrons.exchange_correlation();
      electrons.finish_step();
    }
    const double lost = std::abs(course.energy_before - energies(system, electrons, dft::alone).total());
    const double moment = moments_of(system, start, {}).seventh;
    CHECK(lost > 1e-10);  // rounding: 1e-13
    CHECK(std::abs(steps * loss_of_a_step(moment, settings.dt, propagator) / lost - 1) < 0.2);
    settings.pulse = {Shape::step, 0.5, 0, 0, 0};
    CHECK(std::abs(most_work(system, settings, 100) - 32 * 0.5 * 0.5 / 2) < 1e-12);
  }
}
