#include "run.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <string>

#include "base/error.hpp"
#include "base/random.hpp"
#include "this_check.hpp"

namespace atmosphere {

using namespace tenken;
namespace validity = this_check::validity;

namespace {

constexpr double longest_run = 5 * day;      // of which the error of case 2 is known
constexpr double steady_l2 = 1.3 * 1.87e-4;  // of level 5 after five days, by a prototype of the same scheme
constexpr double slope_error = 0.0093;       // of levels 3 to 7 with springs: second order
constexpr double energy_of_day = 1e-3;       // of level 3

double bytes_of(const Settings& settings, int ranks) {
  const auto own = static_cast<double>(cells_of_level(settings.regions.grid_level)) / ranks;
  const double coefficients = 8 * (7.0 * Operators::points + 4) + 4 * Grid::most;
  return grid_bytes(settings.regions.grid_level) + own * (coefficients + 8 * (4 * 4 + 4));
}

Grid checked_grid(const Check& check, const Settings& settings) {
  check.require_memory(bytes_of(settings, check.ranks()), "the grid of the sphere and the cells of a rank");
  Grid grid = make_grid(settings.regions.grid_level, settings.springs);
  constexpr double most_uneven = 1.6;  // bisection: 1.2, springs: 1.3
  const Spacing spacing = spacing_of(grid);
  if (!(spacing.greatest < most_uneven * spacing.least)) {
    impossible("the net of springs of level " + std::to_string(settings.regions.grid_level) +
               " did not come to rest: distances of neighbours differ by more than 1.6 times; choose --springs false");
  }
  return grid;
}

}  // namespace

Run::Run(Check& check, const Settings& settings)
    : check_(check),
      settings_(settings),
      of_(settings.which, settings.tilt),
      grid_(checked_grid(check, settings)),
      patch_(make_patch(grid_, settings.regions, check.rank(), check.ranks())),
      operators_(grid_, patch_, earth_radius),
      dt_(chosen_step()),
      model_(check.comm(), patch_, operators_, of_, dt_,
             diffusion_of(spacing_of(grid_).mean * earth_radius, settings.damping)),
      timer_(model_) {
  model_.watch(&timer_);
  const bool last = check.rank() == check.ranks() - 1;
  if (check.fault("stale_halo")) {
    if (check.ranks() < 2) refuse("--fault stale_halo needs two ranks; start it with mpirun -n 2");
    model_.halo().leave_out(last);
  }
  if (last && check.fault("swapped_edge")) operators_.swap_edges();
  if (last && check.fault("pentagon_weight")) operators_.spoil_weight();
  model_.start(grid_, of_);
  mass_ = sum(model_.mass());
  energy_ = sum(model_.energy());
  prove_grid();
}

double Run::chosen_step() {
  double fastest = 0;
  for (const Vec& at : grid_.centre) {
    const double wave = of_.advects_only() ? 0 : std::sqrt(earth_gravity * std::max(0.0, of_.height(at)));
    fastest = std::max(fastest, wave + length(of_.velocity(at)));
  }
  const double longest = longest_step(spacing_of(grid_).least * earth_radius, fastest);
  if (settings_.dt == 0) return 0.75 * longest;
  if (settings_.dt > longest) {
    refuse("--step " + std::to_string(settings_.dt) + " s is longer than the longest stable step of level " +
           std::to_string(settings_.regions.grid_level) + ", " + std::to_string(longest) + " s; choose a shorter step");
  }
  return settings_.dt;
}

// The grid and the operators before the first step.
void Run::prove_grid() {
  const double radius2 = earth_radius * earth_radius;
  double areas = 0, flux = 0, size = 0, wrong = 0, right = 0;
  std::vector<double> outflow(static_cast<std::size_t>(patch_.own)), linear(static_cast<std::size_t>(patch_.items()));
  Vectors flow(patch_.items());  // with divergence and curl, which a turn of the sphere does not have
  for (std::size_t i = 0; i < static_cast<std::size_t>(patch_.items()); ++i) {
    const Vec at = grid_.centre[static_cast<std::size_t>(patch_.cells[i])], wind{0.5, -0.3, 0.8};
    flow.set(i, wind - at * dot(at, wind) + cross(wind, at));
  }
  operators_.divergence(flow, outflow);
  const Vec slope{0.36, 0.48, 0.8};
  for (std::size_t i = 0; i < linear.size(); ++i) {
    linear[i] = earth_radius * dot(slope, grid_.centre[static_cast<std::size_t>(patch_.cells[i])]);
  }
  Vectors gradient(patch_.own);
  operators_.gradient(linear, gradient);
  for (std::int64_t c = 0; c < patch_.own; ++c) {
    const auto i = static_cast<std::size_t>(c);
    areas += operators_.area(c) / radius2;
    flux += operators_.area(c) * outflow[i];
    size += operators_.area(c) * std::abs(outflow[i]);
    const Vec up = operators_.up(c);
    const Vec exact = slope - up * dot(slope, up), off = gradient.at(i) - exact;
    wrong += operators_.area(c) * dot(off, off);
    right += operators_.area(c) * dot(exact, exact);
  }
  check_.prove(validity::sphere, std::abs(sum(areas) / (4 * std::numbers::pi) - 1));
  check_.prove(validity::flux, std::abs(sum(flux)) / sum(size));
  const double error = std::sqrt(sum(wrong) / sum(right)) * std::pow(4, settings_.regions.grid_level) / 64;
  if (settings_.springs) {
    check_.prove(validity::slope, error, 1.3 * slope_error, "1.3 times the figure of levels 3 to 7, springs");
  } else {
    check_.prove(validity::slope, error);
  }
}

// Long runs are several runs of five days: on a fast machine steady flow would go on until its error has grown.
void Run::pass() {
  const double next = model_.seconds() + settings_.steps * dt_;
  if (model_.seconds() > 0 && next > longest_run * (1 + 1e-9)) {
    note_errors();
    model_.start(grid_, of_);
  }
  for (int i = 0; i < settings_.steps; ++i) model_.step();
}

void Run::report() {
  report_errors();
  report_map();
  check_.value("cells", "1", static_cast<double>(grid_.size()));
  check_.value("fingerprint", "1", fingerprint());
  check_.value("working_set_bytes", "B", sum(static_cast<double>(model_.working_set_bytes())));
  check_.value("halo_cells", "1", check_.max_over_ranks(static_cast<double>(patch_.items() - patch_.own)));
  check_.value("messages_of_exchange", "1", check_.max_over_ranks(static_cast<double>(model_.halo().messages())));
  check_.value("step_s", "s", dt_);
  check_.value("days", "1", days_);
  const Spacing spacing = spacing_of(grid_);
  check_.value("spacing_ratio", "1", spacing.greatest / spacing.least);
}

// Of the bits of all heights and their cells: the same on any number of ranks. 48 bits, so that sums are exact.
double Run::fingerprint() {
  std::uint64_t mine = 0;
  for (std::int64_t c = 0; c < patch_.own; ++c) {
    const auto i = static_cast<std::size_t>(c);
    const auto bits = std::bit_cast<std::uint64_t>(model_.state().height[i]);
    mine += mix64(bits ^ mix64(static_cast<std::uint64_t>(patch_.cells[i])));
  }
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_UINT64_T, MPI_SUM, check_.comm());
  return static_cast<double>(mine >> 16);
}

void Run::note_errors() {
  double square = 0, size = 0, most = 0, largest = 0;
  for (std::int64_t c = 0; c < patch_.own; ++c) {
    const auto i = static_cast<std::size_t>(c);
    const Vec& at = grid_.centre[static_cast<std::size_t>(patch_.cells[i])];
    const double exact = of_.exact() ? of_.exact_height(at, model_.seconds()) : model_.state().height[i];
    const double wrong = model_.state().height[i] - exact;
    square += operators_.area(c) * wrong * wrong;
    size += operators_.area(c) * exact * exact;
    most = std::max(most, std::abs(wrong));
    largest = std::max(largest, std::abs(exact));
  }
  const auto raise = [](double& worst, double one) {
    if (!(std::abs(one) <= std::abs(worst))) worst = one;  // a NaN, too
  };
  raise(errors_.l2, std::sqrt(sum(square) / sum(size)));
  raise(errors_.largest, check_.max_over_ranks(most) / check_.max_over_ranks(largest));
  raise(errors_.mass, sum(model_.mass()) / mass_ - 1);
  const double energy = sum(model_.energy()) / energy_ - 1, days = std::max(1.0, model_.seconds() / day);
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
  const bool steady = settings_.which == Case::steady, free = !of_.advects_only();
  check_.value("steady", "flag", steady ? 1 : 0);
  check_.value("velocity_moves", "flag", free ? 1 : 0);
  if (steady) check_.prove(validity::height, errors_.l2 / (steady_l2 * std::pow(4, 5 - level)));
  if (free) {
    check_.prove(validity::energy, std::abs(errors_.energy_a_day) / (energy_of_day * std::pow(4, 3 - level)));
  }
}

// Height of the surface less its mean, m, at the nearest cells of a plane of longitudes and latitudes.
void Run::report_map() {
  constexpr int columns = 72, rows = 36;
  std::vector<double> surface(columns * rows), distance(columns * rows, 10.0);
  for (std::int64_t c = 0; c < patch_.own; ++c) {
    const auto i = static_cast<std::size_t>(c);
    const Vec& at = grid_.centre[static_cast<std::size_t>(patch_.cells[i])];
    const double longitude = std::atan2(at.y, at.x), latitude = std::asin(std::clamp(at.z, -1.0, 1.0));
    // Places within two spacings of the cell.
    const double reach = 2.5 * std::sqrt(4 * std::numbers::pi / static_cast<double>(grid_.size()));
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
        surface[to] = model_.state().height[i] + of_.ground(at);
      }
    }
  }
  std::vector<double> nearest(distance.size());
  MPI_Allreduce(distance.data(), nearest.data(), columns * rows, MPI_DOUBLE, MPI_MIN, check_.comm());
  for (std::size_t i = 0; i < surface.size(); ++i) {
    if (distance[i] > nearest[i]) surface[i] = -1e30;  // another rank has the nearest cell
  }
  MPI_Allreduce(MPI_IN_PLACE, surface.data(), columns * rows, MPI_DOUBLE, MPI_MAX, check_.comm());
  double mean = 0;
  for (const double one : surface) mean += one / (columns * rows);
  Table map{"surface", "m", Better::higher, {}, {}, {}, Form::field};
  for (int row = 0; row < rows; ++row) map.rows.push_back("latitude " + std::to_string(90 - (2 * row + 1) * 90 / rows));
  for (int column = 0; column < columns; ++column) {
    map.columns.push_back("longitude " + std::to_string((2 * column + 1) * 180 / columns - 180));
  }
  for (const double one : surface) map.values.emplace_back(one - mean);
  check_.table(map);
}

}  // namespace atmosphere
