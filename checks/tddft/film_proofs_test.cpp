// Proofs of a film's reflectance on a Lorentz medium: healthy, cut off too early, growing, and vacuum.
#include "film_proofs.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "lorentz.hpp"

using namespace tenken;
using namespace tenken::tddft;

namespace {

const Pulse pulse{Shape::asin2cos, 0.15, 0.15, 150, 0};
const LightGrid grid{.vacuum = 4, .film = 20, .spacing = 50, .dt = 0.3};
constexpr double limit = 5e-3;

// part: of the medium's current that enters the light; -1 makes a film that gives energy.
FilmSeries seen(double part, int steps, double damping = 0.03) {
  Light light(grid, {0, grid.size()}, pulse);
  std::vector<Lorentz> medium(static_cast<std::size_t>(grid.film));
  for (Lorentz& point : medium) point.damping = damping;
  std::vector<double> current(static_cast<std::size_t>(grid.size()));
  FilmSeries series;
  const auto rows = static_cast<std::size_t>(steps + 1);
  series.fields.assign(medium.size() * rows, 0);
  series.currents.assign(medium.size() * rows, 0);
  const auto note = [&](std::size_t step) {
    series.light.incident.push_back(light.incident());
    series.light.reflected.push_back(light.now(0) - light.incident());
    series.light.transmitted.push_back(light.now(grid.size() - 1));
    for (std::size_t p = 0; p < medium.size(); ++p) {
      series.fields[p * rows + step] = light.now(static_cast<std::int64_t>(p) + grid.vacuum);
      series.currents[p * rows + step] = -medium[p].velocity;
    }
  };
  note(0);
  for (int n = 0; n < steps; ++n) {
    for (std::size_t p = 0; p < medium.size(); ++p) {
      const auto at = static_cast<std::int64_t>(p) + grid.vacuum;
      current[static_cast<std::size_t>(at)] = part * medium[p].step(light.now(at), light.next(at), grid.dt);
    }
    light.step(current);
    note(static_cast<std::size_t>(n) + 1);
  }
  return series;
}

FilmErrors errors_of(const FilmSeries& series) { return film_errors(series, grid, pulse, limit); }

}  // namespace

TEST_CASE("a film that has decayed reflects and lets through by Fresnel, and its proofs pass") {
  const FilmSeries series = seen(1, 4000);
  const FilmErrors errors = errors_of(series);
  CHECK(errors.surplus <= 1e-3);
  CHECK(errors.left() < limit);
  CHECK(errors.growth < 1);
  CHECK(errors.steps_needed == 0);
  const auto band = amplitudes(series.light, grid.dt);
  CHECK(band.size() > 10);
  for (const Amplitudes& at : band) {
    const double w = at.energy * electron_volt;
    const Fresnel expected = fresnel(Lorentz{}.epsilon(w), w, static_cast<double>(grid.film) * grid.spacing);
    CHECK(std::abs(at.reflectance() - std::norm(expected.reflected)) < 0.02);
    CHECK(std::abs(at.transmittance() - std::norm(expected.transmitted)) < 0.02);
  }
}

TEST_CASE("a run that ends too early is told how many steps it needs") {
  const auto fewest = static_cast<int>(reflectance_steps(grid, pulse));
  CHECK(fewest * grid.dt > pulse.length + 2 * 2 * std::numbers::pi / pulse.frequency);
  const FilmErrors early = errors_of(seen(1, fewest));
  CHECK(early.left() > limit);
  REQUIRE(early.steps_needed > fewest);
  CHECK(early.steps_needed < 4000);
  const FilmErrors later = errors_of(seen(1, static_cast<int>(early.steps_needed)));
  CHECK(later.left() < limit);
}

TEST_CASE("a film that gives energy grows, and breaks all proofs of its reflectance") {
  const FilmErrors errors = errors_of(seen(-1, 1500));
  CHECK(!(errors.surplus < 0.02));
  CHECK(!(errors.left() < limit));
  CHECK(!(errors.growth < 1));
  CHECK(errors.steps_needed == 0);
}

TEST_CASE("a film without loss lets through what it does not reflect, and a small gain is a surplus") {
  const auto band = amplitudes(seen(1, 12000, 0).light, grid.dt);
  for (const Amplitudes& at : band) CHECK(at.reflectance() + at.transmittance() == doctest::Approx(1).epsilon(2e-2));
  FilmSeries stronger = seen(0, 1500);
  for (double& a : stronger.light.transmitted) a *= 1.02;
  CHECK(std::abs(errors_of(stronger).surplus - 0.04) < 0.004);
}

TEST_CASE("a value that is no number breaks every proof") {
  FilmSeries series = seen(1, 1500);
  series.light.reflected[700] = series.fields[700] = series.fields.back() = series.currents.back() = std::nan("");
  const FilmErrors errors = errors_of(series);
  CHECK(std::isnan(errors.surplus));
  CHECK(std::isnan(errors.field));
  CHECK(std::isnan(errors.left()));
  CHECK(!(errors.growth <= 1));
}

TEST_CASE("vacuum does not change light, and a thin medium does") {
  const FilmSeries vacuum = seen(0, 1500);
  CHECK(vacuum_error(vacuum.light, grid) < 5e-3);
  CHECK(vacuum_error(seen(0.1, 1500).light, grid) > 0.02);
  CHECK(errors_of(vacuum).field < limit);
  CHECK(errors_of(vacuum).growth < 1);
}
