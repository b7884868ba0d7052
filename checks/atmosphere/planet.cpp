#include "planet.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/error.hpp"
#include "base/random.hpp"
#include "this_check.hpp"

namespace atmosphere {

using namespace tenken;
namespace validity = this_check::validity;

namespace {

constexpr double slope_error = 0.0093;  // of levels 3 to 7 with springs: second order

Grid checked_grid(const Check& check, const Settings& settings, double bytes) {
  const auto own = static_cast<double>(cells_of_level(settings.regions.grid_level)) / check.ranks();
  const double coefficients = 8 * (7.0 * Operators::points + 4) + 4 * Grid::most;
  check.require_memory(grid_bytes(settings.regions.grid_level) + own * coefficients + bytes,
                       "the grid of the sphere and the cells of a rank");
  Grid grid = make_grid(settings.regions.grid_level, settings.springs);
  constexpr double most_uneven = 1.6;  // bisection: 1.2, springs: 1.3
  const Spacing spacing = spacing_of(grid);
  if (!(spacing.greatest < most_uneven * spacing.least)) {
    impossible("the net of springs of level " + std::to_string(settings.regions.grid_level) +
               " did not come to rest: distances of neighbours differ by more than 1.6 times; choose --springs false");
  }
  return grid;
}

Spacing times(const Spacing& of, double radius) { return {of.least * radius, of.greatest * radius, of.mean * radius}; }

}  // namespace

Planet::Planet(Check& check_of, const Settings& of, double radius_of, double bytes)
    : check(check_of),
      settings(of),
      grid(checked_grid(check, settings, bytes)),
      patch(make_patch(grid, settings.regions, check.rank(), check.ranks())),
      radius(radius_of),
      operators(grid, patch, radius),
      spacing(times(spacing_of(grid), radius)) {
  const bool last = check.rank() == check.ranks() - 1;
  if (check.fault("stale_halo") && check.ranks() < 2)
    refuse("--fault stale_halo needs two ranks; start it with mpirun -n 2");
  if (last && check.fault("swapped_edge")) operators.swap_edges();
  if (last && check.fault("pentagon_weight")) operators.spoil_weight();
}

double Planet::step(double longest, double usual) const {
  if (settings.dt == 0) return usual * longest;
  if (settings.dt > longest) {
    refuse("--step " + std::to_string(settings.dt) + " s is longer than the longest stable step of level " +
           std::to_string(settings.regions.grid_level) + ", " + std::to_string(longest) + " s; choose a shorter step");
  }
  return settings.dt;
}

void Planet::prove() const {
  const double radius2 = radius * radius;
  double areas = 0, flux = 0, size = 0, wrong = 0, right = 0;
  std::vector<double> outflow(static_cast<std::size_t>(patch.own)), linear(static_cast<std::size_t>(patch.items()));
  Vectors flow(patch.items());  // with divergence and curl, which a turn of the sphere does not have
  for (std::size_t i = 0; i < static_cast<std::size_t>(patch.items()); ++i) {
    const Vec at = grid.centre[static_cast<std::size_t>(patch.cells[i])], wind{0.5, -0.3, 0.8};
    flow.set(i, wind - at * dot(at, wind) + cross(wind, at));
  }
  operators.divergence(flow, outflow);
  const Vec slope{0.36, 0.48, 0.8};
  for (std::size_t i = 0; i < linear.size(); ++i) {
    linear[i] = radius * dot(slope, grid.centre[static_cast<std::size_t>(patch.cells[i])]);
  }
  Vectors gradient(patch.own);
  operators.gradient(linear, gradient);
  for (std::int64_t c = 0; c < patch.own; ++c) {
    const auto i = static_cast<std::size_t>(c);
    areas += operators.area(c) / radius2;
    flux += operators.area(c) * outflow[i];
    size += operators.area(c) * std::abs(outflow[i]);
    const Vec up = operators.up(c);
    const Vec exact = slope - up * dot(slope, up), off = gradient.at(i) - exact;
    wrong += operators.area(c) * dot(off, off);
    right += operators.area(c) * dot(exact, exact);
  }
  check.prove(validity::sphere, std::abs(sum(areas) / (4 * std::numbers::pi) - 1));
  check.prove(validity::flux, std::abs(sum(flux)) / sum(size));
  const double error = std::sqrt(sum(wrong) / sum(right)) * std::pow(4, settings.regions.grid_level) / 64;
  if (settings.springs) {
    check.prove(validity::slope, error, 1.3 * slope_error, "1.3 times the figure of levels 3 to 7, springs");
  } else {
    check.prove(validity::slope, error);
  }
}

// 48 bits, so that sums are exact.
double Planet::fingerprint(const std::function<std::uint64_t(std::int64_t)>& bits) const {
  std::uint64_t mine = 0;
  for (std::int64_t c = 0; c < patch.own; ++c) {
    mine += mix64(bits(c) ^ mix64(static_cast<std::uint64_t>(patch.cells[static_cast<std::size_t>(c)])));
  }
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_UINT64_T, MPI_SUM, check.comm());
  return static_cast<double>(mine >> 16);
}

void Planet::report() const {
  check.value("cells", "1", static_cast<double>(grid.size()));
  check.value("halo_cells", "1", check.max_over_ranks(static_cast<double>(patch.items() - patch.own)));
  check.value("spacing_ratio", "1", spacing.greatest / spacing.least);
}

void Planet::map(const char* name, const char* unit, const std::function<double(std::int64_t)>& value) const {
  constexpr int columns = 72, rows = 36;
  std::vector<double> surface(columns * rows), distance(columns * rows, 10.0);
  for (std::int64_t c = 0; c < patch.own; ++c) {
    const auto i = static_cast<std::size_t>(c);
    const Vec& at = grid.centre[static_cast<std::size_t>(patch.cells[i])];
    const double longitude = std::atan2(at.y, at.x), latitude = std::asin(std::clamp(at.z, -1.0, 1.0));
    // Places within two spacings of the cell.
    const double reach = 2.5 * std::sqrt(4 * std::numbers::pi / static_cast<double>(grid.size()));
    const double wide = std::min(std::numbers::pi, reach / std::max(0.02, std::cos(latitude)));
    for (int row = 0; row < rows; ++row) {
      const double north = std::numbers::pi * (0.5 - (row + 0.5) / rows);
      if (std::abs(north - latitude) > std::max(reach, std::numbers::pi / rows)) continue;
      for (int column = 0; column < columns; ++column) {
        const double east = 2 * std::numbers::pi * (column + 0.5) / columns - std::numbers::pi;
        if (std::abs(std::remainder(east - longitude, 2 * std::numbers::pi)) > std::max(wide, std::numbers::pi / rows))
          continue;
        const Vec place{std::cos(north) * std::cos(east), std::cos(north) * std::sin(east), std::sin(north)};
        const double away = length(place - at);
        const auto to = static_cast<std::size_t>(row * columns + column);
        if (away >= distance[to]) continue;
        distance[to] = away;
        surface[to] = value(c);
      }
    }
  }
  std::vector<double> nearest(distance.size());
  MPI_Allreduce(distance.data(), nearest.data(), columns * rows, MPI_DOUBLE, MPI_MIN, check.comm());
  for (std::size_t i = 0; i < surface.size(); ++i) {
    if (distance[i] > nearest[i]) surface[i] = -1e30;  // another rank has the nearest cell
  }
  MPI_Allreduce(MPI_IN_PLACE, surface.data(), columns * rows, MPI_DOUBLE, MPI_MAX, check.comm());
  double mean = 0;
  for (const double one : surface) mean += one / (columns * rows);
  Table map{name, unit, Better::higher, {}, {}, {}, Form::field};
  for (int row = 0; row < rows; ++row) map.rows.push_back("latitude " + std::to_string(90 - (2 * row + 1) * 90 / rows));
  for (int column = 0; column < columns; ++column) {
    map.columns.push_back("longitude " + std::to_string((2 * column + 1) * 180 / columns - 180));
  }
  for (const double one : surface) map.values.emplace_back(one - mean);
  check.table(map);
}

}  // namespace atmosphere
