#include "film_proofs.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tenken::tddft {

namespace {

std::complex<double> transform(const std::vector<double>& values, double w, double dt) {
  std::complex<double> sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += values[i] * std::polar(dt, w * dt * static_cast<double>(i));
  return sum;
}

double period(const Pulse& pulse) { return 2 * std::numbers::pi / pulse.frequency; }

std::int64_t steps_of(double time, double dt) { return static_cast<std::int64_t>(std::ceil(time / dt)); }

// Greatest |value| of the steps [first, last) of all points; NaN where any value is NaN.
double greatest(const std::vector<double>& values, std::size_t steps, std::size_t first) {
  double most = 0;
  for (std::size_t start = 0; start < values.size(); start += steps) {
    for (std::size_t i = start + first; i < start + steps; ++i) {
      if (!(std::abs(values[i]) <= most)) most = std::abs(values[i]);
      if (std::isnan(most)) return most;
    }
  }
  return most;
}

double root_mean_square(const std::vector<double>& values, std::size_t steps, std::size_t first, std::size_t last) {
  double sum = 0, count = 0;
  for (std::size_t start = 0; start < values.size(); start += steps) {
    for (std::size_t i = start + first; i < start + last; ++i) sum += values[i] * values[i];
    count += static_cast<double>(last - first);
  }
  return std::sqrt(sum / count);
}

double part(double value, double whole) { return value == 0 ? 0 : value / whole; }

}  // namespace

std::vector<Amplitudes> amplitudes(const LightSeries& light, double dt) {
  constexpr int count = 300;
  constexpr double spacing = 0.1, least = 0.05;  // eV; of the greatest energy at one w
  std::vector<std::complex<double>> incident;
  std::vector<double> power;
  for (int i = 1; i <= count; ++i) {
    const double w = i * spacing * electron_volt;
    incident.push_back(transform(light.incident, w, dt));
    power.push_back(w * w * std::norm(incident.back()));
  }
  const double most = *std::max_element(power.begin(), power.end());
  std::vector<Amplitudes> all;
  for (int i = 1; i <= count; ++i) {
    const auto at = static_cast<std::size_t>(i - 1);
    if (!(power[at] >= least * most) || power[at] == 0) continue;
    const double w = i * spacing * electron_volt;
    all.push_back({i * spacing, transform(light.reflected, w, dt) / incident[at],
                   transform(light.transmitted, w, dt) / incident[at]});
  }
  return all;
}

std::int64_t first_dark_step(const LightGrid& grid, const Pulse& incident) {
  return steps_of(incident.end() + static_cast<double>(grid.size()) * grid.spacing / light_speed, grid.dt);
}

std::int64_t reflectance_steps(const LightGrid& grid, const Pulse& incident) {
  return first_dark_step(grid, incident) + steps_of(2 * period(incident), grid.dt);
}

FilmErrors film_errors(const FilmSeries& series, const LightGrid& grid, const Pulse& incident, double limit) {
  FilmErrors errors;
  for (const Amplitudes& at : amplitudes(series.light, grid.dt)) {
    const double surplus = at.reflectance() + at.transmittance() - 1;
    if (!(surplus <= errors.surplus)) errors.surplus = surplus;
  }
  const std::size_t steps = series.light.incident.size(),
                    dark = static_cast<std::size_t>(first_dark_step(grid, incident));
  const std::size_t tail = steps - std::min(steps, static_cast<std::size_t>(steps_of(period(incident), grid.dt)));
  const double most = greatest(series.fields, steps, 0);
  errors.field = part(greatest(series.fields, steps, tail), most);
  errors.current = part(greatest(series.currents, steps, tail), greatest(series.currents, steps, 0));
  const std::size_t half = (steps - dark) / 2;
  const double before = root_mean_square(series.fields, steps, dark, dark + half);
  const double after = root_mean_square(series.fields, steps, dark + half, dark + 2 * half);
  errors.growth = part(after, std::max(before, 0.5 * limit * most));
  const double left = errors.left();
  if (left > limit && errors.growth < 1) {
    constexpr double margin = 1.3;  // modes that last longest decay more slowly than the mean of all
    const double halves = margin * std::log(left / limit) / -std::log(errors.growth);
    errors.steps_needed = static_cast<std::int64_t>(steps) - 1 + steps_of(halves * static_cast<double>(half), 1);
  }
  return errors;
}

double vacuum_error(const LightSeries& light, const LightGrid& grid) {
  double worst = 0;
  const double way = static_cast<double>(grid.size() - 1) * grid.spacing / light_speed;
  for (const Amplitudes& at : amplitudes(light, grid.dt)) {
    const std::complex<double> expected = std::polar(1.0, at.energy * electron_volt * way);
    for (const double off : {std::abs(at.reflected), std::abs(at.transmitted - expected)}) {
      if (!(off <= worst)) worst = off;
    }
  }
  return worst;
}

}  // namespace tenken::tddft
