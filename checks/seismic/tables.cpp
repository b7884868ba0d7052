#include "tables.hpp"

#include <cstdio>
#include <optional>
#include <string>

#include "analytic.hpp"

namespace tenken::seismic {

namespace {

std::string label(const char* name, double value, const char* unit) {
  char text[48];
  std::snprintf(text, sizeof text, "%s%.6g%s", name, value, unit);
  return text;
}

constexpr double metres = 1000;  // a kilometre

// Exact velocity at a receiver at time t, km/s, where the medium and its source have a closed form.
std::optional<double> exact_at(const Check& check, const Problem& p, const Receiver& receiver, double t) {
  const std::string& source = check.parameters().text("source");
  const bool explosive = source == "explosion", forced = source.starts_with("force");
  if (p.surface || p.contrast != 0 || !p.quality.elastic() || !(explosive || forced)) return std::nullopt;
  const int component = receiver.component - vx, axis = source.back() - 'x';
  const Injection& first = p.sources.front();
  Point at{};
  for (std::size_t d = 0; d < 3; ++d) {
    at[d] = p.h * (receiver.cell[d] - first.cell[d] + (static_cast<int>(d) == component ? 0.5 : 0));
  }
  if (explosive) return explosion(p.material, p.pulse, source_strength, at, component, t);
  at[static_cast<std::size_t>(axis)] -= p.h / 2;
  return point_force(p.material, p.pulse, 1, axis, at, component, t);
}

}  // namespace

void write_seismogram(Check& check, const Problem& p, const Waves<float>& waves) {
  const auto steps = static_cast<std::size_t>(waves.step());
  const std::size_t count = p.receivers.size();
  std::vector<double> all(steps * count, 0.0);  // each receiver is on one rank
  for (const auto& trace : waves.block().traces()) {
    for (std::size_t n = 0; n < steps; ++n) all[n * count + trace.receiver] = trace.values[n];
  }
  MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_SUM, check.comm());
  const bool exact = exact_at(check, p, p.receivers.front(), 0).has_value();
  Table table;
  table.name = "seismogram";
  table.unit = "m/s";
  table.form = Form::curves;
  table.columns = {"vx", "vy", "vz"};
  if (exact) table.columns.insert(table.columns.end(), {"exact_vx", "exact_vy", "exact_vz"});
  for (std::size_t n = 0; n < steps; ++n) {
    const double t = (static_cast<double>(n) + 0.5) * p.dt;
    table.rows.push_back(label("t ", t, " s"));
    for (std::size_t r = 0; r < count; ++r) table.values.emplace_back(metres * all[n * count + r]);
    for (std::size_t r = 0; exact && r < count; ++r) {
      table.values.emplace_back(metres * *exact_at(check, p, p.receivers[r], t));
    }
  }
  check.table(table);
}

void write_slice(Check& check, const Problem& p, const Waves<float>& waves) {
  const int row = p.sources.front().cell[1];
  const int step_x = (p.cells[0] + slice_samples - 1) / slice_samples,
            step_z = (p.cells[2] + slice_samples - 1) / slice_samples;
  Table table;
  table.name = "slice_vz";
  table.unit = "m/s";
  table.form = Form::field;
  for (int i = 0; i < p.cells[0]; i += step_x) table.columns.push_back(label("x ", i * p.h, " km"));
  for (int k = 0; k < p.cells[2]; k += step_z) table.rows.push_back(label("z ", (k + 0.5) * p.h, " km"));
  const Block<float>& block = waves.block();
  const Layout& l = block.layout();
  const int j = row - block.offset()[1];
  const std::size_t columns = table.columns.size();
  std::vector<double> all(table.rows.size() * columns, 0.0);  // each sample is on one rank
  for (std::size_t column = 0; column < columns && j >= 0 && j < l.ny; ++column) {
    const int i = static_cast<int>(column) * step_x - block.offset()[0];
    if (i < 0 || i >= l.nx) continue;
    const float* const from = block.field(vz) + l.at(i, j);
    for (std::size_t n = 0; n < table.rows.size(); ++n) all[n * columns + column] = from[static_cast<int>(n) * step_z];
  }
  MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_SUM, check.comm());
  for (const double each : all) table.values.emplace_back(metres * each);
  check.table(table);
}

void write_ranks(Check& check, const Index<2>& grid) {
  if (check.ranks() == 1) return;
  Table table;
  table.name = "ranks";
  table.unit = "1";
  table.form = Form::ranks;
  for (int x = 0; x < grid[0]; ++x) table.columns.push_back(label("x ", x, ""));
  for (int y = 0; y < grid[1]; ++y) {
    table.rows.push_back(label("y ", y, ""));
    for (int x = 0; x < grid[0]; ++x) table.values.emplace_back(static_cast<double>(position<2>({x, y}, grid)));
  }
  check.table(table);
}

}  // namespace tenken::seismic
