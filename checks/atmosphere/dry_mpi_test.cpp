// Dry air: against the twin, at rest, a gravity wave, balanced flow; any ranks, regions and orders of memory.
#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "alone.hpp"
#include "dry_model.hpp"
#include "dry_run.hpp"
#include "dry_twin.hpp"
#include "testing/sanitized.hpp"
#include "testing/world.hpp"

using namespace atmosphere;
using tenken::testing::sanitized;
using tenken::testing::world_rank;
using tenken::testing::world_ranks;

namespace {

// On one rank; the bits of others are compared below.
bool alone() { return world_ranks() == 1; }

DryNumbers numbers_of(const Grid& grid, const DryCase& of, int levels, double dt = 0) {
  const Spacing spacing = spacing_of(grid);
  DryNumbers numbers;
  numbers.levels = levels;
  numbers.dt = dt > 0 ? dt : 0.6 * longest_dry_step(spacing.least * of.radius(), of.fastest(), 6);
  numbers.diffusion = diffusion_of(spacing.mean * of.radius(), 6);
  return numbers;
}

template <Order order>
struct DryForecast {
  Alone on;
  DryCase of;
  Edges edges;
  DryModel<order> model;
  DryTotals start;

  DryForecast(int level, int levels, DryCase::Kind kind, bool springs = true, double dt = 0)
      : on(level, springs, DryCase(kind).radius()),
        of(kind),
        edges(on.grid, on.patch, of.radius()),
        model(MPI_COMM_SELF, on.patch, on.operators, edges, of, numbers_of(on.grid, of, levels, dt)) {
    model.start(on.grid, of);
    start = model.totals();
  }
};
using Forecast = DryForecast<Order::by_column>;

template <Order order>
void compare_with_twin(DryCase::Kind kind) {
  constexpr int level = sanitized ? 2 : 3, levels = 7;
  DryForecast<order> forecast(level, levels, kind);
  DryTwin twin(forecast.on.grid, forecast.of, numbers_of(forecast.on.grid, forecast.of, levels));
  const std::vector<std::size_t> items = forecast.on.items();
  const auto each = [&](const auto& use) {
    for (std::size_t c = 0; c < items.size(); ++c) {
      for (std::size_t k = 0; k < levels; ++k) {
        use(c, k, forecast.model.shape().at(static_cast<std::int64_t>(items[c]), static_cast<std::int64_t>(k)));
      }
    }
  };
  forecast.model.disturb();  // divergent flow, so that all terms count
  const AirView mine = forecast.model.state();
  each([&](std::size_t c, std::size_t k, std::int64_t at) {
    twin.now.density[c][k] = mine.density[at], twin.now.energy[c][k] = mine.energy[at];
    twin.now.momentum[c][k] = {mine.x[at], mine.y[at], mine.z[at]};
  });
  for (int i = 0; i < 2; ++i) forecast.model.step(), twin.step();
  double off = 0, moved = 0, fastest = 0;
  each([&](std::size_t c, std::size_t k, std::int64_t) {
    fastest = std::max(fastest, length(twin.now.momentum[c][k]));
  });
  const AirView now = forecast.model.state();
  each([&](std::size_t c, std::size_t k, std::int64_t at) {
    const Vec v{now.x[at], now.y[at], now.z[at]};
    off = std::max({off, std::abs(now.density[at] / twin.now.density[c][k] - 1),
                    std::abs(now.energy[at] / twin.now.energy[c][k] - 1), length(v - twin.now.momentum[c][k]) / fastest,
                    std::abs(now.lift[at] - twin.now.lift[c][k]) / fastest});
    moved = std::max(moved, std::abs(now.lift[at]));
  });
  CAPTURE(off);
  CHECK(off < 1e-11);
  CHECK(moved > 1e-4);
}

TEST_CASE("steps are those of the plain twin, in both orders of memory") {
  if (!alone()) return;
  compare_with_twin<Order::by_column>(DryCase::balanced);
  compare_with_twin<Order::by_level>(DryCase::gravity_wave);
}

TEST_CASE("an atmosphere at rest stays at rest for a day") {
  if (!alone()) return;
  Forecast forecast(sanitized ? 2 : 3, 20, DryCase::rest);
  while (forecast.model.seconds() < day) forecast.model.step();
  CHECK(forecast.model.totals().fastest < 1e-10);
  CHECK(forecast.model.totals().fastest > 0);
  CHECK(std::abs(forecast.model.totals().mass / forecast.start.mass - 1) < 1e-12);
}

// Warmer than at the start, of the level in the middle.
std::vector<double> warming(const Forecast& of) {
  std::vector<double> warmer(of.on.size());
  const std::int64_t k = of.model.shape().levels / 2;
  const double z = (static_cast<double>(k) + 0.5) * of.of.top() / static_cast<double>(of.model.shape().levels);
  for (std::size_t i = 0; i < warmer.size(); ++i) {
    const std::int64_t at = of.model.shape().at(static_cast<std::int64_t>(i), k);
    const AirView air = of.model.state();
    warmer[i] = air.energy[at] / (heat * air.density[at]) - of.of.temperature(of.on.at(i), z);
  }
  return warmer;
}

double difference(const Forecast& coarse, const Forecast& fine) {
  const std::vector<double> mine = warming(coarse), theirs = warming(fine);
  double wrong = 0, size = 0;
  for (const auto& [at, at_fine] : same_nodes(coarse.on, fine.on)) {
    wrong += std::pow(mine[at] - theirs[at_fine], 2);
    size += std::pow(theirs[at_fine], 2);
  }
  return std::sqrt(wrong / size);
}

TEST_CASE("the gravity wave of DCMIP 3-1 nears that of half the spacing") {
  if (!alone() || sanitized) return;
  constexpr double seconds = 900;
  constexpr int steps = 17;
  Forecast coarse(3, 10, DryCase::gravity_wave, false, seconds / steps),
      middle(4, 10, DryCase::gravity_wave, false, seconds / (2 * steps)),
      fine(5, 10, DryCase::gravity_wave, false, seconds / (4 * steps));
  for (Forecast* one : {&coarse, &middle, &fine}) {
    for (int i = 0; i < steps << (one->on.grid.level - 3); ++i) one->model.step();
    CHECK(std::abs(one->model.totals().mass / one->start.mass - 1) < 1e-12);
    CHECK(std::abs(one->model.totals().tracer / one->start.tracer - 1) < 1e-12);
  }
  // The warmth is 5 km wide; cells are 7, 3.5 and 1.8 km wide.
  const double of_coarse = difference(coarse, fine), of_middle = difference(middle, fine);
  CAPTURE(of_coarse);
  CAPTURE(of_middle);
  CHECK(of_middle < 0.35);
  CHECK(of_middle < 0.5 * of_coarse);
}

// l2 of the change of the surface pressure in a day, Pa.
double drift_of_a_day(Forecast& forecast) {
  std::vector<double> before;
  for (std::int64_t c = 0; c < forecast.on.patch.own; ++c) before.push_back(forecast.model.surface_pressure(c));
  double worst = 0;
  while (forecast.model.seconds() < day) {
    forecast.model.step();
    double square = 0, areas = 0;
    for (std::int64_t c = 0; c < forecast.on.patch.own; ++c) {
      const double area = forecast.on.operators.area(c);
      square += area * std::pow(forecast.model.surface_pressure(c) - before[static_cast<std::size_t>(c)], 2);
      areas += area;
    }
    worst = std::max(worst, std::sqrt(square / areas));
  }
  CHECK(std::abs(forecast.model.totals().energy / forecast.start.energy - 1) < 2e-6);
  return worst;
}

TEST_CASE("balanced flow: the surface pressure changes by less than 0.3 hPa in a day, less on a finer grid") {
  if (!alone() || sanitized) return;
  Forecast coarse(3, 20, DryCase::balanced), fine(4, 20, DryCase::balanced);
  const double of_coarse = drift_of_a_day(coarse), of_fine = drift_of_a_day(fine);
  CAPTURE(of_coarse);
  CAPTURE(of_fine);
  CHECK(of_fine < 30);
  CHECK(of_fine < 0.6 * of_coarse);
  CHECK(fine.model.totals().fastest < 30);  // the jet: 28 m/s
}

template <Order order>
void compare_with_whole() {
  constexpr int level = 3, levels = 5, steps = 2;
  DryForecast<order> whole(level, levels, DryCase::baroclinic_wave);
  for (int i = 0; i < steps; ++i) whole.model.step();
  const std::vector<std::size_t> items = whole.on.items();
  for (const int region_level : {0, 2}) {
    const Patch patch = make_patch(whole.on.grid, {level, region_level}, world_rank(), world_ranks());
    const Operators operators(whole.on.grid, patch, whole.of.radius());
    const Edges edges(whole.on.grid, patch, whole.of.radius());
    DryModel<order> part(MPI_COMM_WORLD, patch, operators, edges, whole.of,
                         numbers_of(whole.on.grid, whole.of, levels));
    part.start(whole.on.grid, whole.of);
    for (int i = 0; i < steps; ++i) part.step();
    CHECK(part.messages_of_step() == part.messages_by_formula());
    bool same = true;
    for (std::int64_t c = 0; c < patch.own; ++c) {
      const auto cell = static_cast<std::size_t>(patch.cells[static_cast<std::size_t>(c)]);
      for (std::int64_t k = 0; k < levels; ++k) {
        const std::int64_t mine = part.shape().at(c, k);
        const std::int64_t theirs = whole.model.shape().at(static_cast<std::int64_t>(items[cell]), k);
        const AirView a = part.state(), b = whole.model.state();
        same = same && a.density[mine] == b.density[theirs] && a.x[mine] == b.x[theirs] &&
               a.energy[mine] == b.energy[theirs] && a.lift[mine] == b.lift[theirs] &&
               part.tracer().amount()[mine] == whole.model.tracer().amount()[theirs];
      }
    }
    CHECK(same);
  }
}

TEST_CASE("dry steps of any ranks and regions have the bits of one rank, in both orders of memory") {
  compare_with_whole<Order::by_column>();
  compare_with_whole<Order::by_level>();
}

TEST_CASE("both orders of memory agree to rounding") {
  if (!alone()) return;
  Forecast columns(3, 6, DryCase::baroclinic_wave);
  DryForecast<Order::by_level> layers(3, 6, DryCase::baroclinic_wave);
  for (int i = 0; i < 3; ++i) columns.model.step(), layers.model.step();
  double off = 0;
  for (std::int64_t c = 0; c < columns.on.patch.own; ++c) {
    for (std::int64_t k = 0; k < 6; ++k) {
      const std::int64_t at = columns.model.shape().at(c, k), other = layers.model.shape().at(c, k);
      off = std::max(off, std::abs(columns.model.state().x[at] - layers.model.state().x[other]));
      off = std::max(off, std::abs(columns.model.tracer().amount()[at] - layers.model.tracer().amount()[other]));
    }
  }
  CHECK(off < 1e-11);
}

}  // namespace
