#include "eigenvalues.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "base/error.hpp"
#include "numerics/dft/hamiltonian.hpp"
#include "this_check.hpp"

namespace tenken::tddft {

namespace {

constexpr int more_bands = 4;    // shown beyond the occupied ones
constexpr int guard_bands = 10;  // computed beyond these
constexpr double good = 1e-5;    // residual, Hartree: levels are right to its square over their distance
constexpr int passes = 4, most_rounds = 12;

double distance(const dft::Vector& a, const dft::Vector& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

// |H u - e u| of the first `bands` bands of one k.
double residual_of(const dft::System& system, const std::vector<double>& potential, const dft::Vector& k, int bands,
                   const dft::Complex* orbitals, const double* values) {
  const auto points = static_cast<std::size_t>(system.grid.size());
  const dft::Stencil stencil(system.grid, k);
  const dft::Nonlocal nonlocal(system, k);
  double worst = 0;
#pragma omp parallel for reduction(max : worst)
  for (int band = 0; band < bands; ++band) {
    const dft::Complex* const u = orbitals + static_cast<std::size_t>(band) * points;
    std::vector<dft::Complex> image(points);
    dft::apply_plain(stencil, potential.data(), u, image.data());
    nonlocal.add(u, image.data());
    double sum = 0;
    for (std::size_t p = 0; p < points; ++p) sum += std::norm(image[p] - values[band] * u[p]);
    worst = std::max(worst, std::sqrt(sum * system.grid.point_volume()));
  }
  return worst;
}

}  // namespace

Eigenvalues eigenvalues_at(const dft::System& system, const dft::GroundState& ground, const std::vector<dft::Vector>& k,
                           dft::GroundStateOptions options) {
  const auto points = static_cast<std::size_t>(system.grid.size());
  options.guard_bands = guard_bands;
  Eigenvalues all;
  all.bands = system.bands() + more_bands;
  for (const dft::Vector& at : k) {
    dft::System one = system;
    one.k_points = {{at, 1}};
    dft::GroundStateSolver solver(one, {0, 1}, options);
    std::vector<dft::Complex> start(solver.state().orbitals.data(),
                                    solver.state().orbitals.data() + solver.state().orbitals.size());
    std::int64_t nearest = ground.k_range.first;
    const auto to = [&](std::int64_t i) { return distance(system.k_points[static_cast<std::size_t>(i)].k, at); };
    for (std::int64_t i = ground.k_range.first; i < ground.k_range.last; ++i)
      if (to(i) < to(nearest)) nearest = i;
    const auto held = static_cast<std::size_t>(ground.bands) * points;
    std::copy_n(ground.orbitals.data() + static_cast<std::size_t>(nearest - ground.k_range.first) * held, held,
                start.data());
    solver.hold(ground.potential, start.data());
    double residual = 1;
    for (int round = 0; round < most_rounds && residual > good; ++round) {
      solver.refine(ground.potential, passes);
      std::copy_n(solver.state().orbitals.data(), start.size(), start.data());
      residual = residual_of(one, ground.potential, at, all.bands, start.data(), solver.state().eigenvalues.data());
    }
    all.residual = std::max(all.residual, residual);
    const double* const values = solver.state().eigenvalues.data();
    all.value.insert(all.value.end(), values, values + all.bands);
  }
  return all;
}

std::vector<dft::Vector> k_of_levels(const std::vector<std::int64_t>& numbers, const dft::Vector& cell) {
  std::vector<dft::Vector> all;
  if (numbers.size() == 1 && numbers[0] == 0) return all;
  if (numbers.size() % 3 != 0) {
    refuse("--levels has " + std::to_string(numbers.size()) +
           " numbers; state three for each k, in thousandths of the reciprocal vectors, such as 0,0,0,125,125,125");
  }
  for (std::size_t i = 0; i < numbers.size(); i += 3) {
    dft::Vector k;
    for (std::size_t d = 0; d < 3; ++d) k[d] = static_cast<double>(numbers[i + d]) * 2e-3 * std::numbers::pi / cell[d];
    all.push_back(k);
  }
  return all;
}

void write_levels(Check& check, const dft::System& system, const dft::GroundState& ground,
                  const dft::GroundStateOptions& options, const dft::Reduce& reduce) {
  const auto k = k_of_levels(check.parameters().integers("levels"), system.grid.cell);
  check.value("has_levels", "flag", k.empty() ? 0 : 1);
  if (k.empty()) return;
  // Every rank in turn takes a k.
  std::vector<dft::Vector> mine;
  for (std::size_t i = static_cast<std::size_t>(check.rank()); i < k.size();
       i += static_cast<std::size_t>(check.ranks()))
    mine.push_back(k[i]);
  const Eigenvalues found = eigenvalues_at(system, ground, mine, options);
  const auto bands = static_cast<std::size_t>(system.bands() + more_bands);
  std::vector<double> all(k.size() * bands);
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const std::size_t row = static_cast<std::size_t>(check.rank()) + i * static_cast<std::size_t>(check.ranks());
    std::copy_n(found.value.data() + i * bands, bands, all.data() + row * bands);
  }
  reduce(all.data(), all.size());
  Table table;
  table.name = "levels";
  table.unit = "reciprocal vectors, Hartree";
  table.columns = {"k x", "k y", "k z"};
  for (std::size_t b = 1; b <= bands; ++b)
    table.columns.push_back((b <= bands - more_bands ? "occupied " : "empty ") + std::to_string(b));
  for (std::size_t i = 0; i < k.size(); ++i) {
    table.rows.push_back(std::to_string(i));
    for (std::size_t d = 0; d < 3; ++d) table.values.push_back(k[i][d] * system.grid.cell[d] / (2 * std::numbers::pi));
    table.values.insert(table.values.end(), all.begin() + static_cast<std::ptrdiff_t>(i * bands),
                        all.begin() + static_cast<std::ptrdiff_t>((i + 1) * bands));
  }
  check.table(table);
  check.prove(this_check::validity::levels, check.max_over_ranks(found.residual));
}

double gap_of(const Check& check, const dft::System& system, const dft::GroundState& ground) {
  double highest = -1e300, lowest = 1e300;
  for (std::int64_t k = 0; k < ground.k_range.size(); ++k) {
    const double* const values = ground.eigenvalues.data() + k * ground.bands;
    highest = std::max(highest, values[system.bands() - 1]);
    lowest = std::min(lowest, values[system.bands()]);
  }
  return -check.max_over_ranks(-lowest) - check.max_over_ranks(highest);
}

}  // namespace tenken::tddft
