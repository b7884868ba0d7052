#include "run.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/error.hpp"
#include "crystal.hpp"
#include "proofs.hpp"
#include "this_check.hpp"
#include "timer.hpp"

namespace tenken::realspace {

namespace {

namespace validity = this_check::validity;

constexpr int most_iterations = 100;
constexpr double electron_volt = 1 / 27.211386245988;  // Hartree (CODATA 2018)

GroundOptions options_of(const Check& check, std::int64_t bands) {
  const Parameters& parameters = check.parameters();
  GroundOptions options;
  options.bands = bands;
  options.block = parameters.integer("block");
  options.batch = static_cast<int>(parameters.integer("batch"));
  options.degree = static_cast<int>(parameters.integer("degree"));
  options.tolerance = parameters.real("tolerance");
  options.eigen = parameters.text("eigen") == "leader" ? Eigen::leader : Eigen::replicated;
  options.seed = static_cast<std::uint64_t>(parameters.integer("seed"));
  options.stale_halo = check.fault("stale_halo");
  options.lost_sum = check.fault("lost_sum");
  options.lost_projector = check.fault("lost_projector");
  return options;
}

void require_fault(const Check& check, const RankGrid& grid) {
  for (const char* fault : {"stale_halo", "lost_sum"}) {
    if (check.fault(fault) && grid.ranks_of_group() < 2)
      refuse(std::string("--fault ") + fault + " needs two ranks that share the grid; start it with mpirun -n 2");
  }
}

void prove(Check& check, const Domain& domain, const dft::System& system, Ground& ground) {
  const auto seed = static_cast<std::uint64_t>(check.parameters().integer("seed"));
  const bool converge = check.parameters().flag("converge");
  check.prove(validity::hamiltonian, check.max_over_ranks(hamiltonian_error(domain, system, ground, seed)));
  check.prove(validity::hermiticity, check.max_over_ranks(hermiticity_error(domain, ground, seed)));
  if (converge) check.prove(validity::levels, check.max_over_ranks(band_residual(domain, system, ground)));
  check.prove(validity::charge, std::abs(ground.electrons() / system.electrons - 1));
  if (converge) check.prove(validity::converged, ground.residual() / check.parameters().real("tolerance"));
  check.prove(validity::orthonormal, check.max_over_ranks(orthonormality_error(domain, ground)));
}

Table energies_table(const dft::Energies& energies) {
  Table table;
  table.name = "energies";
  table.unit = "Hartree a cell";
  table.form = Form::figures;
  table.columns = {"energy"};
  table.rows = {"kinetic", "Hartree", "exchange and correlation", "local", "non-local", "Ewald", "core", "total"};
  table.values = {energies.kinetic, energies.hartree,  energies.exchange_correlation,
                  energies.local,   energies.nonlocal, energies.ewald,
                  energies.core,    energies.total()};
  return table;
}

// The grid and what each element needs, under a name that says where energies are not meant.
Table grid_table(const dft::System& system) {
  Table table;
  bool coarse = false;
  table.unit = "Bohr, Hartree";
  table.form = Form::figures;
  table.columns = {"spacing", "allowed spacing", "cut-off energy", "needed energy"};
  for (const dft::GridNeed& need : dft::grid_needs(system.grid, system.atoms)) {
    table.rows.push_back(need.element);
    table.values.insert(table.values.end(), {need.spacing, need.allowed, need.carried, need.needed});
    coarse = coarse || need.coarse();
  }
  table.name = coarse ? "coarse_grid_energies_not_meant" : "grid";
  return table;
}

void report(Check& check, const Domain& domain, const dft::System& system, Ground& ground, int iterations) {
  check.value("atoms", "1", static_cast<double>(system.atoms.size()));
  check.value("grid_points", "1", static_cast<double>(system.grid.size()));
  check.value("bands", "1", static_cast<double>(ground.count()));
  check.value("iterations", "1", iterations);
  check.value("density_residual", "electrons", ground.residual());
  check.value("large_products", "1",
              dft::large_product_share(ground.count(), std::min(check.parameters().integer("block"), ground.count())));
  check.value("working_set_bytes", "B", check.sum_over_ranks(static_cast<double>(ground.bytes())));
  check.table(grid_table(system));
  check.chosen("groups", "1", domain.ranks().groups);
  for (std::size_t d = 0; d < 3; ++d) check.chosen(std::string("blocks_") + "xyz"[d], "1", domain.ranks().blocks[d]);
}

// What the equations have as their answer; only after convergence, where it is proved.
void report_answer(Check& check, const dft::System& system, Ground& ground) {
  const dft::Energies energies = ground.energies();
  check.value("energy", "Ha", energies.total());
  check.table(energies_table(energies));
  Table levels;
  levels.name = "levels";
  levels.unit = "Hartree";
  levels.form = Form::figures;
  levels.columns = {"level"};
  for (std::int64_t b = 0; b <= system.bands(); ++b) {
    levels.rows.push_back((b < system.bands() ? "occupied " : "empty ") + std::to_string(b + 1));
    levels.values.emplace_back(ground.eigenvalues()[static_cast<std::size_t>(b)]);
  }
  check.table(levels);
  const auto highest = static_cast<std::size_t>(system.bands());
  const double gap = ground.eigenvalues()[highest] - ground.eigenvalues()[highest - 1];
  check.table({.name = "gap",
               .unit = "eV",
               .rows = {"gap"},
               .columns = {"lowest empty level minus highest occupied level"},
               .values = {gap / electron_volt},
               .form = Form::figures});
}

}  // namespace

void run(Check& check) {
  const Parameters& parameters = check.parameters();
  const Crystal crystal = crystal_of(parameters);
  const auto asked = parameters.integers("blocks");
  const RankGrid ranks = rank_grid(static_cast<int>(parameters.integer("groups")),
                                   {static_cast<int>(asked[0]), static_cast<int>(asked[1]), static_cast<int>(asked[2])},
                                   crystal.input.grid.points, check.ranks());
  require_fault(check, ranks);
  const double bytes = ground_bytes(crystal.input, ranks, crystal.bands, static_cast<int>(parameters.integer("batch")));
  check.require_memory(bytes, "bands and grids of a rank");
  check.value("memory_of_a_rank", "B", bytes);
  std::optional<dft::System> system;
  std::optional<Domain> domain;
  std::optional<Ground> ground;
  {
    const Section setup{this_check::section::setup};
    system.emplace(dft::make_system(crystal.input));
    domain.emplace(check.comm(), ranks, system->grid);
    ground.emplace(*domain, *system, options_of(check, crystal.bands));
    ground->begin();
  }
  Timer timer;
  int iterations = 0;
  check.repeat([&](int) {
    ground->watch(&timer);
    ground->iterate();
    ground->watch(nullptr);
    ++iterations;
  });
  while (parameters.flag("converge") && !ground->converged() && iterations < most_iterations) {
    ground->iterate();
    ++iterations;
    advanced();
  }
  prove(check, *domain, *system, *ground);
  report(check, *domain, *system, *ground, iterations);
  if (parameters.flag("converge")) report_answer(check, *system, *ground);
}

}  // namespace tenken::realspace
