#include "run.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "this_check.hpp"

namespace atmosphere {

using namespace tenken;
namespace validity = this_check::validity;

namespace {

constexpr double longest_run = 5 * day;      // of which the error of case 2 is known
constexpr double steady_l2 = 1.3 * 1.87e-4;  // of level 5 after five days, by a prototype of the same scheme
constexpr double energy_of_day = 1e-3;       // of level 3

double bytes_of(const Settings& settings, int ranks) {
  return 8 * (4 * 4 + 4) * static_cast<double>(cells_of_level(settings.regions.grid_level)) / ranks;
}

}  // namespace

Run::Run(Check& check, const Settings& settings)
    : check_(check),
      settings_(settings),
      of_(settings.which, settings.tilt),
      planet_(check, settings, earth_radius, bytes_of(settings, check.ranks())),
      edges_(settings.limiter && of_.advects_only()
                 ? std::optional<Edges>(std::in_place, planet_.grid, planet_.patch, planet_.radius)
                 : std::nullopt),
      dt_(planet_.step(longest_step(planet_.spacing.least, fastest()), 0.75)),
      model_(check.comm(), planet_.patch, planet_.operators, of_, dt_,
             diffusion_of(planet_.spacing.mean, settings.damping), edges_ ? &*edges_ : nullptr),
      timer_(model_.works()) {
  model_.watch(&timer_);
  if (check.fault("stale_halo")) model_.leave_out_halos(check.rank() == check.ranks() - 1);
  model_.start(planet_.grid, of_);
  mass_ = planet_.sum(model_.mass());
  energy_ = planet_.sum(model_.energy());
  planet_.prove();
}

double Run::fastest() const {
  double most = 0;
  for (const Vec& at : planet_.grid.centre) {
    const double wave = of_.advects_only() ? 0 : std::sqrt(earth_gravity * std::max(0.0, of_.height(at)));
    most = std::max(most, wave + length(of_.velocity(at)));
  }
  return most;
}

// Long runs are several runs of five days: on a fast machine steady flow would go on until its error has grown.
void Run::pass() {
  const double next = model_.seconds() + settings_.steps * dt_;
  if (model_.seconds() > 0 && next > longest_run * (1 + 1e-9)) {
    note_errors();
    model_.start(planet_.grid, of_);
  }
  for (int i = 0; i < settings_.steps; ++i) model_.step();
}

void Run::report() {
  report_errors();
  const std::vector<double>& height = model_.state().height;
  planet_.map("surface", "m", [&](std::int64_t c) {
    const auto i = static_cast<std::size_t>(c);
    return height[i] + of_.ground(planet_.operators.up(c));
  });
  planet_.report();
  check_.value("fingerprint", "1", planet_.fingerprint([&](std::int64_t c) {
    return std::bit_cast<std::uint64_t>(height[static_cast<std::size_t>(c)]);
  }));
  check_.value("working_set_bytes", "B", planet_.sum(static_cast<double>(model_.working_set_bytes())));
  check_.value("messages_of_exchange", "1", check_.max_over_ranks(static_cast<double>(model_.halo().messages())));
  check_.value("step_s", "s", dt_);
  check_.value("days", "1", days_);
}

void Run::note_errors() {
  double square = 0, size = 0, most = 0, largest = 0;
  for (std::int64_t c = 0; c < planet_.patch.own; ++c) {
    const auto i = static_cast<std::size_t>(c);
    const Vec& at = planet_.operators.up(c);
    const double exact = of_.exact() ? of_.exact_height(at, model_.seconds()) : model_.state().height[i];
    const double wrong = model_.state().height[i] - exact;
    square += planet_.operators.area(c) * wrong * wrong;
    size += planet_.operators.area(c) * exact * exact;
    most = std::max(most, std::abs(wrong));
    largest = std::max(largest, std::abs(exact));
  }
  const auto raise = [](double& worst, double one) {
    if (!(std::abs(one) <= std::abs(worst))) worst = one;  // a NaN, too
  };
  raise(errors_.l2, std::sqrt(planet_.sum(square) / planet_.sum(size)));
  raise(errors_.largest, check_.max_over_ranks(most) / check_.max_over_ranks(largest));
  raise(errors_.mass, planet_.sum(model_.mass()) / mass_ - 1);
  const double energy = planet_.sum(model_.energy()) / energy_ - 1, days = std::max(1.0, model_.seconds() / day);
  raise(errors_.energy, energy);
  raise(errors_.energy_a_day, energy / days);
  days_ += model_.seconds() / day;
}

void Run::report_errors() {
  note_errors();
  const int level = settings_.regions.grid_level;
  if (of_.exact()) {
    check_.value("height_l2", "1", errors_.l2);
    check_.value("height_linf", "1", errors_.largest);
  }
  check_.value("mass_drift", "1", errors_.mass);
  check_.value("energy_drift", "1", errors_.energy);
  check_.prove(validity::mass, std::abs(errors_.mass));
  check_.value("limited", "flag", edges_ ? 1 : 0);
  const double least = -check_.max_over_ranks(-model_.least_height());
  if (edges_) check_.prove(validity::tracer_below, std::max(0.0, -least));
  const bool steady = settings_.which == Case::steady, free = !of_.advects_only();
  check_.value("steady", "flag", steady ? 1 : 0);
  check_.value("velocity_moves", "flag", free ? 1 : 0);
  if (steady) check_.prove(validity::height, errors_.l2 / (steady_l2 * std::pow(4, 5 - level)));
  if (free) {
    check_.prove(validity::energy, std::abs(errors_.energy_a_day) / (energy_of_day * std::pow(4, 3 - level)));
  }
}

}  // namespace atmosphere
