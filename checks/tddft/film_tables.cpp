#include "film_tables.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>

namespace tenken::tddft {

namespace {

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

std::complex<double> transform(const std::vector<double>& values, double w, double dt) {
  std::complex<double> sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += values[i] * std::polar(dt, w * dt * static_cast<double>(i));
  return sum;
}

void write_reflectance(Check& check, const LightCourse& light, double dt) {
  constexpr int count = 300;
  constexpr double spacing = 0.1, least = 0.05;  // eV; of the greatest energy at one w
  Table table;
  table.name = "reflectance";
  table.unit = "1";
  table.columns = {"eV", "reflectance", "transmittance"};
  std::vector<double> power;
  for (int i = 1; i <= count; ++i) {
    const double w = i * spacing * electron_volt;
    power.push_back(w * w * std::norm(transform(light.incident, w, dt)));
  }
  const double greatest = *std::max_element(power.begin(), power.end());
  for (int i = 1; i <= count; ++i) {
    if (power[static_cast<std::size_t>(i - 1)] < least * greatest) continue;
    const double w = i * spacing * electron_volt, in = std::norm(transform(light.incident, w, dt));
    table.rows.push_back(std::to_string(i));
    table.values.insert(table.values.end(), {i * spacing, std::norm(transform(light.reflected, w, dt)) / in,
                                             std::norm(transform(light.transmitted, w, dt)) / in});
  }
  check.table(table);
}

}  // namespace

void LightCourse::note(const Film& film) {
  incident.push_back(film.incident());
  reflected.push_back(film.reflected());
  transmitted.push_back(film.transmitted());
}

void write_film(Check& check, const Levels& levels, const std::vector<const Course*>& points, LightCourse light,
                const LightGrid& grid) {
  const std::size_t rows = light.incident.size();
  std::vector<double> fields, currents;
  for (const Course* const point : points) {
    fields.insert(fields.end(), point->a.begin(), point->a.end());
    currents.insert(currents.end(), point->current.begin(), point->current.end());
  }
  fields = collected(levels, fields);
  currents = collected(levels, currents);
  const auto ends = collected(levels, light.transmitted);
  if (!ends.empty()) light.transmitted.assign(ends.end() - static_cast<std::ptrdiff_t>(rows), ends.end());
  check.table(over_time("light", {"t", "incident", "reflected", "transmitted"},
                        {light.incident.data(), light.reflected.data(), light.transmitted.data()}, rows, grid.dt));
  write_points(check, "film_field", "A", fields, rows, grid);
  write_points(check, "film_current", "J", currents, rows, grid);
  write_reflectance(check, light, grid.dt);
}

}  // namespace tenken::tddft
