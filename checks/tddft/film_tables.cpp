#include "film_tables.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "this_check.hpp"

namespace tenken::tddft {

namespace {

namespace validity = this_check::validity;

// The numbers of every group one after the other, on the first.
std::vector<double> collected(const Levels& levels, const std::vector<double>& mine) {
  const int count = static_cast<int>(mine.size());
  std::vector<int> counts(static_cast<std::size_t>(levels.groups())), firsts(counts.size() + 1);
  MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, levels.across());
  for (std::size_t group = 0; group < counts.size(); ++group) firsts[group + 1] = firsts[group] + counts[group];
  std::vector<double> all(levels.group() == 0 ? static_cast<std::size_t>(firsts.back()) : 0);
  MPI_Gatherv(mine.data(), count, MPI_DOUBLE, all.data(), counts.data(), firsts.data(), MPI_DOUBLE, 0, levels.across());
  return all;
}

Table over_time(const char* name, std::vector<std::string> columns, const std::vector<const double*>& series,
                std::size_t rows, double dt) {
  Table table;
  table.name = name;
  table.unit = "atomic units";
  table.columns = std::move(columns);
  for (std::size_t i = 0; i < rows; ++i) {
    table.rows.push_back(std::to_string(i));
    table.values.emplace_back(static_cast<double>(i) * dt);
    for (const double* const each : series) table.values.emplace_back(each[i]);
  }
  return table;
}

void write_points(Check& check, const char* name, const char* letter, const std::vector<double>& all, std::size_t rows,
                  const LightGrid& grid) {
  std::vector<std::string> columns{"t"};
  std::vector<const double*> series;
  for (std::size_t point = 0; point * rows < all.size(); ++point) {
    columns.push_back(letter + std::to_string(point + 1));
    series.push_back(all.data() + point * rows);
  }
  check.table(over_time(name, std::move(columns), series, rows, grid.dt));
}

void write_reflectance(Check& check, const LightSeries& light, double dt) {
  Table table;
  table.name = "reflectance";
  table.unit = "1";
  table.columns = {"eV", "reflectance", "transmittance"};
  for (const Amplitudes& at : amplitudes(light, dt)) {
    table.rows.push_back(std::to_string(std::lround(10 * at.energy)));
    table.values.insert(table.values.end(), {at.energy, at.reflectance(), at.transmittance()});
  }
  check.table(table);
}

std::string longer(const FilmErrors& errors) {
  if (errors.steps_needed == 0) return "the film does not decay; use more --kpoints or a thinner film";
  constexpr std::int64_t round = 100;
  return "run longer: --steps " + std::to_string((errors.steps_needed + round - 1) / round * round);
}

}  // namespace

void note(const Film& film, LightSeries& light) {
  light.incident.push_back(film.incident());
  light.reflected.push_back(film.reflected());
  light.transmitted.push_back(film.transmitted());
}

FilmSeries film_series(const Levels& levels, const std::vector<const Course*>& points, LightSeries light) {
  const std::size_t rows = light.incident.size();
  FilmSeries series{std::move(light), {}, {}};
  for (const Course* const point : points) {
    series.fields.insert(series.fields.end(), point->a.begin(), point->a.end());
    series.currents.insert(series.currents.end(), point->current.begin(), point->current.end());
  }
  series.fields = collected(levels, series.fields);
  series.currents = collected(levels, series.currents);
  auto& ends = series.light.transmitted;
  ends = collected(levels, ends);
  if (!ends.empty()) ends.assign(ends.end() - static_cast<std::ptrdiff_t>(rows), ends.end());
  return series;
}

void write_film(Check& check, const FilmSeries& series, const LightGrid& grid) {
  const LightSeries& light = series.light;
  const std::size_t rows = light.transmitted.size();  // 0 on ranks whose tables are not written
  check.table(over_time("light", {"t", "incident", "reflected", "transmitted"},
                        {light.incident.data(), light.reflected.data(), light.transmitted.data()}, rows, grid.dt));
  write_points(check, "film_field", "A", series.fields, rows, grid);
  write_points(check, "film_current", "J", series.currents, rows, grid);
}

void prove_reflectance(Check& check, const FilmSeries& series, const LightGrid& grid, const Pulse& incident, int steps,
                       bool vacuum) {
  const std::int64_t needed = reflectance_steps(grid, incident);
  check.value("reflectance_steps", "1", static_cast<double>(needed));
  check.value("has_reflectance", "flag", steps >= needed ? 1 : 0);
  if (steps < needed) return;
  FilmErrors errors;
  double changed = 0;
  if (!series.fields.empty()) {  // the others' values are not written
    write_reflectance(check, series.light, grid.dt);
    errors = film_errors(series, grid, incident, validity::decay.tolerance);
    if (vacuum) changed = vacuum_error(series.light, grid);
  }
  const double left = vacuum ? errors.field : errors.left();
  const bool decayed = left <= validity::decay.tolerance;
  check.prove(validity::decay, left, validity::decay.tolerance, decayed ? "" : longer(errors));
  check.prove(validity::growth, errors.growth);
  check.prove(validity::reflectance, errors.surplus);
  if (vacuum) check.prove(validity::vacuum, changed);
}

}  // namespace tenken::tddft
