#include "dry_run.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/random.hpp"
#include "this_check.hpp"

namespace atmosphere {

using namespace tenken;
namespace validity = this_check::validity;

namespace {

constexpr double usual_part = 0.6;   // of the longest stable step
constexpr int noisy_steps = 7;       // after which a damped model has lost most of the divergence of noise
constexpr double noise_left = 0.35;  // of its square: 0.2 to 0.3 at levels 3 to 6, without damping 0.4 to 0.6
// Of the surface pressure of balanced flow in a day, Pa: about 15 x 4^(4 - g) by the grid, 11000 / levels^2 by layers.
double drift_bar(const Settings& of) {
  return 1.5 * (15 * std::pow(4, 4 - of.regions.grid_level) + 11000.0 / (of.levels * of.levels));
}

template <Order order>
double bytes_of(const Settings& settings, int ranks) {
  const double cells = static_cast<double>(cells_of_level(settings.regions.grid_level)) / ranks;
  return cells * (8.0 * DryModel<order>::fields * settings.levels + static_cast<double>(Edges::bytes_of_cell));
}

}  // namespace

double longest_dry_step(double least_spacing, double sound, int small_steps) {
  constexpr double flow = 40;  // m/s
  return std::min(0.85 * small_steps * least_spacing / sound, 0.6 * least_spacing / flow);
}

template <Order order>
DryNumbers DryRun<order>::numbers() const {
  const double sound = settings_.dry_case.fastest();
  DryNumbers numbers;
  numbers.dt = planet_.step(longest_dry_step(planet_.spacing.least, sound, settings_.small_steps), usual_part);
  numbers.small_steps = settings_.small_steps;
  numbers.levels = settings_.levels;
  numbers.diffusion = diffusion_of(planet_.spacing.mean, settings_.damping);
  if (check_.fault("no_damping")) numbers.damping = numbers.diffusion = 0, numbers.ahead = 0.5;
  return numbers;
}

template <Order order>
DryRun<order>::DryRun(Check& check, const Settings& settings)
    : check_(check),
      settings_(settings),
      planet_(check, settings, settings.dry_case.radius(), bytes_of<order>(settings, check.ranks())),
      edges_(planet_.grid, planet_.patch, planet_.radius),
      numbers_(numbers()),
      model_(check.comm(), planet_.patch, planet_.operators, edges_, settings.dry_case, numbers_),
      timer_(model_.works()) {
  if (check.fault("stale_halo")) model_.leave_out_halos(check.rank() == check.ranks() - 1);
  planet_.prove();
  prove_rest();
  begin();
  model_.watch(&timer_);
}

template <Order order>
DryTotals DryRun<order>::totals() const {
  DryTotals all = model_.totals();
  for (double* one : {&all.mass, &all.tracer, &all.energy, &all.kinetic, &all.divergence2}) *one = planet_.sum(*one);
  all.fastest = check_.max_over_ranks(all.fastest);
  all.least_tracer = -check_.max_over_ranks(-all.least_tracer);
  return all;
}

// A step at rest, and noise whose divergence falls.
template <Order order>
void DryRun<order>::prove_rest() {
  model_.start(planet_.grid, DryCase(DryCase::rest));
  model_.step();
  check_.prove(validity::rest, totals().fastest);
  model_.disturb();
  const double before = totals().divergence2;
  for (int i = 0; i < noisy_steps; ++i) {
    model_.step();
    advanced();
  }
  check_.prove(validity::noise, totals().divergence2 / before / noise_left);
}

template <Order order>
void DryRun<order>::begin() {
  model_.start(planet_.grid, settings_.dry_case);
  pressure_.clear();
  for (std::int64_t c = 0; c < planet_.patch.own; ++c) pressure_.push_back(model_.surface_pressure(c));
  start_ = totals();
}

template <Order order>
void DryRun<order>::pass() {
  const double next = model_.seconds() + settings_.steps * numbers_.dt;
  if (model_.seconds() > 0 && next > settings_.dry_case.longest() * (1 + 1e-9)) {
    note_errors();
    begin();
  }
  for (int i = 0; i < settings_.steps; ++i) model_.step();
}

template <Order order>
void DryRun<order>::note_errors() {
  const auto raise = [](double& worst, double one) {
    if (!(std::abs(one) <= std::abs(worst))) worst = one;  // a NaN, too
  };
  double square = 0, areas = 0;
  for (std::int64_t c = 0; c < planet_.patch.own; ++c) {
    const double off = model_.surface_pressure(c) - pressure_[static_cast<std::size_t>(c)];
    square += planet_.operators.area(c) * off * off;
    areas += planet_.operators.area(c);
  }
  const DryTotals now = totals();
  raise(errors_.mass, now.mass / start_.mass - 1);
  raise(errors_.energy, now.energy / start_.energy - 1);
  raise(errors_.tracer, now.tracer / start_.tracer - 1);
  raise(errors_.below, std::max(0.0, -now.least_tracer));
  raise(errors_.drift, std::sqrt(planet_.sum(square) / planet_.sum(areas)));
  raise(errors_.fastest, now.fastest);
  days_ += model_.seconds() / day;
}

template <Order order>
void DryRun<order>::report() {
  note_errors();
  check_.prove(validity::dry_mass, std::abs(errors_.mass));
  check_.prove(validity::tracer_mass, std::abs(errors_.tracer));
  check_.prove(validity::tracer_below, errors_.below);
  const bool balanced = settings_.dry_case.kind() == DryCase::balanced;
  check_.value("limited", "flag", 1);
  check_.value("balanced", "flag", balanced ? 1 : 0);
  if (balanced) check_.prove(validity::drift, errors_.drift / drift_bar(settings_));
  planet_.map("surface", "hPa", [&](std::int64_t c) { return 0.01 * model_.surface_pressure(c); });
  planet_.report();
  check_.value("fingerprint", "1", planet_.fingerprint([&](std::int64_t c) {
    std::uint64_t bits = 0;
    for (std::int64_t k = 0; k < settings_.levels; ++k) {
      const std::int64_t at = model_.shape().at(c, k);
      const AirView air = model_.state();
      for (const double one : {air.energy[at], air.x[at], air.lift[at], model_.tracer().amount()[at]}) {
        bits = mix64(bits ^ std::bit_cast<std::uint64_t>(one));
      }
    }
    return bits;
  }));
  check_.value("mass_drift", "1", errors_.mass);
  check_.value("energy_drift", "1", errors_.energy);
  check_.value("tracer_drift", "1", errors_.tracer);
  check_.value("pressure_drift", "Pa", errors_.drift);
  check_.value("fastest", "m/s", errors_.fastest);
  check_.value("working_set_bytes", "B", planet_.sum(static_cast<double>(model_.working_set_bytes())));
  const auto messages = static_cast<double>(model_.messages_of_step());
  const auto formula = static_cast<double>(model_.messages_by_formula());
  check_.value("messages_of_step", "1", check_.max_over_ranks(messages));
  check_.prove(validity::messages, check_.max_over_ranks(std::abs(messages - formula)));
  check_.value("step_s", "s", numbers_.dt);
  check_.value("days", "1", days_);
}

template class DryRun<Order::by_level>;
template class DryRun<Order::by_column>;

}  // namespace atmosphere
