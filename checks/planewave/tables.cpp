#include "tables.hpp"

#include <algorithm>
#include <cstring>
#include <numbers>

namespace tenken::planewave {

Table communicators_table(const Check& check, const Groups& groups) {
  constexpr std::size_t axes = axis_names.size(), longest = 256;
  std::array<double, axes> own{};
  for (std::size_t a = 0; a < axes; ++a) {
    int ranks = 0;
    MPI_Comm_size(groups.along(static_cast<Axis>(a)), &ranks);
    own[a] = ranks > 1 ? groups.colour(static_cast<Axis>(a)) : -1;
  }
  std::array<char, longest> host{};
  std::strncpy(host.data(), check.host().c_str(), longest - 1);
  const auto n = static_cast<std::size_t>(check.ranks());
  std::vector<double> all(n * axes);
  std::vector<char> hosts(n * longest);
  MPI_Gather(own.data(), axes, MPI_DOUBLE, all.data(), axes, MPI_DOUBLE, 0, check.comm());
  MPI_Gather(host.data(), longest, MPI_CHAR, hosts.data(), longest, MPI_CHAR, 0, check.comm());
  Table table;
  table.name = "communicators";
  table.unit = "number of the communicator";
  table.form = Form::figures;
  table.columns.assign(axis_names.begin(), axis_names.end());
  for (std::size_t rank = 0; rank < n; ++rank) {
    table.rows.push_back(std::string(hosts.data() + rank * longest) + "/" + std::to_string(rank));
    for (std::size_t a = 0; a < axes; ++a) {
      const double colour = all[rank * axes + a];
      table.values.push_back(colour < 0 ? std::nullopt : std::optional(colour));
    }
  }
  return table;
}

Table levels_table(const dft::System& system, const std::vector<double>& eigenvalues, std::int64_t bands) {
  Table table;
  table.name = "levels";
  table.unit = "reciprocal vectors, weight, Hartree";
  table.form = Form::figures;
  table.columns = {"k x", "k y", "k z", "weight"};
  const std::int64_t shown = system.bands() + 1;
  for (std::int64_t b = 1; b <= shown; ++b)
    table.columns.push_back((b <= system.bands() ? "occupied " : "empty ") + std::to_string(b));
  for (std::size_t k = 0; k < system.k_points.size(); ++k) {
    table.rows.push_back(std::to_string(k));
    for (std::size_t d = 0; d < 3; ++d)
      table.values.push_back(system.k_points[k].k[d] * system.grid.cell[d] / (2 * std::numbers::pi));
    table.values.push_back(system.k_points[k].weight);
    for (std::int64_t b = 0; b < shown; ++b)
      table.values.push_back(eigenvalues[k * static_cast<std::size_t>(bands) + static_cast<std::size_t>(b)]);
  }
  return table;
}

Table energies_table(const dft::Energies& energies, double published) {
  Table table;
  table.name = "energies";
  table.unit = "Hartree a cell";
  table.form = Form::figures;
  table.columns = {"energy"};
  const auto row = [&](const char* name, double value) {
    table.rows.emplace_back(name);
    table.values.emplace_back(value);
  };
  row("kinetic", energies.kinetic);
  row("Hartree", energies.hartree);
  row("exchange and correlation", energies.exchange_correlation);
  row("local", energies.local);
  row("non-local", energies.nonlocal);
  row("Ewald", energies.ewald);
  row("core", energies.core);
  row("total", energies.total());
  if (published != 0) {
    row("total of ABINIT 9.6.2", published);
    row("difference of the totals", energies.total() - published);
  }
  return table;
}

Table cut_off_table(const dft::System& system, double cut_off) {
  Table table;
  bool low = false;
  table.unit = "Hartree";
  table.form = Form::figures;
  table.columns = {"cut-off", "needed"};
  for (const dft::GridNeed& need : dft::grid_needs(system.grid, system.atoms)) {
    table.rows.push_back(need.element);
    table.values.insert(table.values.end(), {cut_off, need.needed});
    low = low || cut_off < need.needed;
  }
  table.name = low ? "low_cut_off_energies_not_converged" : "cut_off";
  return table;
}

double gap_of(const std::vector<double>& eigenvalues, std::int64_t bands, std::int64_t occupied) {
  double highest = -1e300, lowest = 1e300;
  for (std::size_t k = 0; k < eigenvalues.size() / static_cast<std::size_t>(bands); ++k) {
    const double* const values = eigenvalues.data() + k * static_cast<std::size_t>(bands);
    highest = std::max(highest, values[occupied - 1]);
    lowest = std::min(lowest, values[occupied]);
  }
  return lowest - highest;
}

Table gap_table(double gap) {
  constexpr double electron_volt = 1 / 27.211386245988;  // Hartree (CODATA 2018)
  Table table;
  table.name = gap > 0 ? "gap" : "bands_cross_and_are_filled_as_an_insulator";
  table.unit = "eV";
  table.form = Form::figures;
  table.columns = {"lowest empty level minus highest occupied level, of all k"};
  table.rows = {"gap"};
  table.values = {gap / electron_volt};
  return table;
}

}  // namespace tenken::planewave
