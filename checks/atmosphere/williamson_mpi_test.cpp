// The test cases of Williamson: errors, orders, conservation.
#include <doctest/doctest.h>
#include <mpi.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "alone.hpp"
#include "base/random.hpp"
#include "model.hpp"
#include "testing/sanitized.hpp"

using namespace atmosphere;

namespace {

// These cases are of one rank; ranks_mpi_test.cpp shows that others have its bits. Sanitizers see the same steps there.
bool alone() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks == 1 && !tenken::testing::sanitized;
}

// Steps of one rank for so many days, of equal length near 0.75 of the longest stable step.
struct Forecast {
  Alone on;
  Williamson of;
  Edges edges;
  Model model;
  double mass, energy;

  Forecast(int level, bool springs, Case which, double tilt = 0, double damping_hours = 6, bool limited = false)
      : on(level, springs),
        of(which, tilt),
        edges(on.grid, on.patch, earth_radius),
        model(MPI_COMM_SELF, on.patch, on.operators, of, day / (40.0 * (1 << (level - 3))),
              diffusion_of(spacing_of(on.grid).mean * earth_radius, damping_hours), limited ? &edges : nullptr) {
    model.start(on.grid, of);
    mass = model.mass();
    energy = model.energy();
  }
  void run(double days) {
    const auto steps = static_cast<int>(std::lround(days * day / model.dt()));
    for (int i = 0; i < steps; ++i) model.step();
  }
  double height_l2() const {
    double wrong = 0, size = 0;
    for (std::size_t i = 0; i < on.size(); ++i) {
      const double weight = on.operators.area(static_cast<std::int64_t>(i));
      const double exact = of.exact_height(on.at(i), model.seconds());
      wrong += weight * std::pow(model.state().height[i] - exact, 2);
      size += weight * exact * exact;
    }
    return std::sqrt(wrong / size);
  }
};

TEST_CASE("case 2: errors of five days are those of a prototype, second order, for any axis") {
  if (!alone()) return;
  constexpr double prototype[] = {2.67e-3, 7.4e-4, 1.87e-4};  // levels 3 to 5
  for (const double tilt : {0.0, 45.0, 90.0}) {
    double error[3], drift[3];
    for (int level = 3; level <= 5; ++level) {
      Forecast forecast(level, true, Case::steady, tilt * std::numbers::pi / 180);
      forecast.run(5);
      error[level - 3] = forecast.height_l2();
      drift[level - 3] = std::abs(forecast.model.energy() / forecast.energy - 1);
      CHECK(std::abs(forecast.model.mass() / forecast.mass - 1) < 1e-13);
      CHECK(error[level - 3] < 1.3 * prototype[level - 3]);
    }
    CHECK(std::log2(error[1] / error[2]) > 1.8);  // level 3 is too coarse for the order: 1.65
    CHECK(std::log2(drift[0] / drift[1]) > 2.7);
    CHECK(std::log2(drift[1] / drift[2]) > 2.7);
  }
}

TEST_CASE("case 1: the bell returns to its place after a turn, better on a finer grid, and no mass is lost") {
  if (!alone()) return;
  double error[2];
  for (int level = 4; level <= 5; ++level) {
    Forecast forecast(level, true, Case::bell, 0.25 * std::numbers::pi, 0);
    forecast.run(12);
    error[level - 4] = forecast.height_l2();
    CHECK(std::abs(forecast.model.mass() / forecast.mass - 1) < 1e-13);
  }
  CHECK(error[1] < 0.75 * error[0]);
  CHECK(error[1] < 0.7);
}

TEST_CASE("case 1 with limited fluxes: no height below 0 or above the peak, no mass lost, better on a finer grid") {
  if (!alone()) return;
  double error[2];
  for (int level = 4; level <= 5; ++level) {
    Forecast forecast(level, true, Case::bell, 0.25 * std::numbers::pi, 0, true);
    double highest = 0;
    for (std::size_t i = 0; i < forecast.on.size(); ++i) highest = std::max(highest, forecast.model.state().height[i]);
    for (int i = 0; i < 12; ++i) {
      forecast.run(1);
      CHECK(forecast.model.least_height() >= 0);
    }
    for (std::size_t i = 0; i < forecast.on.size(); ++i) {
      CHECK(forecast.model.state().height[i] <= highest * 1.05);  // the flow is free of divergence but for the grid
    }
    error[level - 4] = forecast.height_l2();
    CHECK(std::abs(forecast.model.mass() / forecast.mass - 1) < 1e-13);
  }
  CAPTURE(error[0]);
  CAPTURE(error[1]);
  CHECK(error[1] < 0.75 * error[0]);
  CHECK(error[1] < 0.5);
}

double difference_of_nodes(const Forecast& coarse, const Forecast& fine) {
  double wrong = 0, size = 0;
  for (const auto& [at, at_fine] : same_nodes(coarse.on, fine.on)) {
    const double mine = coarse.model.state().height[at], theirs = fine.model.state().height[at_fine];
    wrong += (mine - theirs) * (mine - theirs);
    size += theirs * theirs;
  }
  return std::sqrt(wrong / size);
}

TEST_CASE("case 5: flow over the mountain converges, and conserves mass and energy") {
  if (!alone()) return;
  constexpr double days = 10;
  Forecast fine(5, false, Case::mountain), middle(4, false, Case::mountain), coarse(3, false, Case::mountain);
  double drift[3];
  int at = 0;
  for (Forecast* one : {&coarse, &middle, &fine}) {
    one->run(days);
    CHECK(std::abs(one->model.mass() / one->mass - 1) < 1e-13);
    drift[at++] = std::abs(one->model.energy() / one->energy - 1);
  }
  const double error3 = difference_of_nodes(coarse, fine), error4 = difference_of_nodes(middle, fine);
  CAPTURE(error3);
  CAPTURE(error4);
  CHECK(std::log2(error3 / error4) > 1.7);
  CHECK(std::log2(drift[0] / drift[1]) > 2);
  CHECK(std::log2(drift[1] / drift[2]) > 2);
}

// Of wave number 4 in longitude, of all latitudes.
double phase(const Forecast& of) {
  std::complex<double> sum;
  for (std::size_t i = 0; i < of.on.size(); ++i) {
    const Vec p = of.on.at(i);
    const double longitude = std::atan2(p.y, p.x), weight = of.on.operators.area(static_cast<std::int64_t>(i));
    sum += weight * of.model.state().height[i] * std::polar(1.0, -4 * longitude);
  }
  return -std::arg(sum) / 4;
}

TEST_CASE("case 6: the wave of wave number 4 goes east at the speed of the finer grid, near that of the theory") {
  if (!alone()) return;
  constexpr double days = 1, r = 4, k = 7.848e-6;
  const double theory = (r * (3 + r) * k - 2 * earth_rotation) / ((1 + r) * (2 + r)) * days * day;  // rad
  double turned[2];
  for (int level = 5; level <= 6; ++level) {
    Forecast forecast(level, true, Case::wave);
    const double begin = phase(forecast);
    forecast.run(days);
    turned[level - 5] = std::remainder(phase(forecast) - begin - theory, std::numbers::pi / 2) + theory;
    CHECK(std::abs(forecast.model.mass() / forecast.mass - 1) < 1e-13);
  }
  CAPTURE(turned[0]);
  CAPTURE(turned[1]);
  CAPTURE(theory);
  CHECK(std::abs(turned[0] / turned[1] - 1) < 0.02);
  CHECK(std::abs(turned[1] / theory - 1) < 0.1);
}

TEST_CASE("two Laplacians take energy from noise, conserve the sum, and damp waves of two cells in the stated hours") {
  const Alone on(4, true);
  std::vector<double> noise(on.size()), once(on.size()), twice(on.size());
  for (std::size_t i = 0; i < on.size(); ++i) noise[i] = static_cast<double>(tenken::mix64(i) >> 11) * 0x1p-53 - 0.5;
  on.laplacian(noise, once);
  on.laplacian(once, twice);
  double change = 0, sum = 0, size = 0;
  for (std::size_t i = 0; i < on.size(); ++i) {
    const double weight = on.operators.area(static_cast<std::int64_t>(i));
    change += weight * noise[i] * twice[i];
    sum += weight * twice[i];
    size += weight * std::abs(twice[i]);
  }
  CHECK(change > 0);
  CHECK(std::abs(sum) / size < 1e-13);
  CHECK(diffusion_of(1000, 0) == 0);
  CHECK(diffusion_of(5e5, 3) * std::pow(std::numbers::pi / 5e5, 4) * 3 * 3600 == doctest::Approx(1));
}

}  // namespace
