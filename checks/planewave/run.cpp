#include "run.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "proofs.hpp"
#include "tables.hpp"
#include "this_check.hpp"
#include "timer.hpp"

namespace tenken::planewave {

namespace {

namespace validity = this_check::validity;

constexpr int first_passes = 4;  // in the potential of atoms side by side
constexpr int most_iterations = 100;
constexpr double levels_converged = 5e-5;  // |H u - e u|, Hartree
constexpr double delay_s = 2e-3;

std::vector<dft::KPoint> k_points_of(const dft::Input& input) {
  return dft::without_opposites(dft::k_points(input.grid, input.k_grid, input.reduction), input.reduction);
}

GroundOptions options_of(const Check& check) {
  const Parameters& parameters = check.parameters();
  GroundOptions options;
  options.within = check.variant() == "cholesky" ? Within::cholesky : Within::halves;
  options.eigen = parameters.text("eigen") == "leader" ? Eigen::leader : Eigen::replicated;
  options.block = parameters.integer("block");
  options.merge = static_cast<int>(parameters.integer("merge"));
  options.seed = static_cast<std::uint64_t>(parameters.integer("seed"));
  options.tolerance = parameters.real("tolerance");
  options.conjugate_phase = check.fault("conjugate_phase");
  options.stale_projector = check.fault("stale_projector");
  options.lost_column = check.fault("lost_column");
  return options;
}

// Of the communicator that a planted fault delays: the last along the columns.
double delay_of(const Check& check, const Groups& groups) {
  if (!check.fault("delayed_communicator")) return 0;
  if (groups.grid().columns < 2)
    refuse("--fault delayed_communicator needs two ranks that share the waves of a row; use --grid 1,1,2 on two ranks");
  const double last = check.max_over_ranks(groups.colour(Axis::columns));
  return groups.colour(Axis::columns) == static_cast<int>(last) ? delay_s : 0;
}

void prove(Check& check, const Groups& groups, const dft::System& system, Ground& ground, double published) {
  const bool converge = check.parameters().flag("converge");
  const auto seed = static_cast<std::uint64_t>(check.parameters().integer("seed"));
  double transform = 0;
  for (const auto& h : ground.hamiltonians()) transform = worse(transform, transform_error(groups, *h, seed));
  check.prove(validity::transform, check.max_over_ranks(transform));
  check.prove(validity::products, check.max_over_ranks(products_error(ground)));
  check.prove(validity::hamiltonian, check.max_over_ranks(hamiltonian_error(groups, system, ground)));
  check.prove(validity::orthonormal, check.max_over_ranks(orthonormality_error(groups, ground)));
  check.prove(validity::charge, std::abs(ground.electrons() / system.electrons - 1));
  if (converge) {
    check.prove(validity::converged, ground.residual() / check.parameters().real("tolerance"));
    check.prove(validity::levels, check.max_over_ranks(ground.band_residual()));
  }
  check.value("has_published", "flag", published != 0 && converge ? 1 : 0);
  if (published != 0 && converge) check.prove_near(validity::energy, ground.energies().total(), published);
}

void report(Check& check, const Groups& groups, const dft::System& system, Ground& ground, double cut_off,
            int iterations) {
  const std::int64_t bands = ground.split().count;
  double waves = 0;
  for (const auto& h : ground.hamiltonians()) waves = std::max(waves, static_cast<double>(h->sphere().all_waves()));
  check.value("plane_waves", "1", check.max_over_ranks(waves));
  check.value("bands", "1", static_cast<double>(bands));
  check.value("k_points", "1", static_cast<double>(system.k_points.size()));
  for (std::size_t d = 0; d < 3; ++d) check.value(std::string("points_") + "xyz"[d], "1", system.grid.points[d]);
  check.chosen("groups_k", "1", groups.grid().k);
  check.chosen("groups_bands", "1", groups.grid().bands);
  check.chosen("rows", "1", groups.grid().rows);
  check.chosen("columns", "1", groups.grid().columns);
  check.value("iterations", "1", iterations);
  check.value("density_residual", "electrons", ground.residual());
  check.value("restarts", "1", check.max_over_ranks(static_cast<double>(ground.restarts())));
  if (options_of(check).within == Within::halves)
    check.value("large_products", "1", dft::large_product_share(bands, ground.split().block));
  check.value("working_set_bytes", "B", check.sum_over_ranks(static_cast<double>(ground.bytes())));
  check.table(communicators_table(check, groups));
  check.table(cut_off_table(system, cut_off));
}

// What the equations have as their answer; only after convergence, where it is proved.
void report_answer(Check& check, const dft::System& system, Ground& ground, double published) {
  const std::vector<double> levels = ground.eigenvalues();
  check.value("energy", "Ha", ground.energies().total());
  check.table(energies_table(ground.energies(), published));
  check.table(levels_table(system, levels, ground.split().count));
  check.table(gap_table(gap_of(levels, ground.split().count, system.bands())));
}

}  // namespace

void run(Check& check) {
  const Parameters& parameters = check.parameters();
  const Crystal crystal = crystal_of(parameters);
  const auto asked = parameters.integers("grid");
  std::optional<dft::System> system;
  std::optional<Groups> groups;
  std::optional<Ground> ground;
  {
    const Section setup{this_check::section::setup};
    const std::vector<dft::KPoint> k = k_points_of(crystal.input);
    const auto k_points = static_cast<std::int64_t>(k.size());
    const GroupGrid grid =
        group_grid({static_cast<int>(asked[0]), static_cast<int>(asked[1]), static_cast<int>(asked[2])},
                   static_cast<int>(parameters.integer("rows")), check.ranks(), k_points, most_to_share(crystal));
    const double bytes = ground_bytes(crystal, grid, k_points, static_cast<int>(parameters.integer("merge")));
    check.require_memory(bytes, "bands, projectors and grids of a rank");
    check.value("memory_of_a_rank", "B", bytes);
    system.emplace(dft::make_system(crystal.input));
    system->k_points = k;
    groups.emplace(check.comm(), grid);
    ground.emplace(*groups, crystal, *system, options_of(check));
    ground->begin(first_passes);
  }
  Timer timer(delay_of(check, *groups));
  int iterations = 0;
  check.repeat([&](int) {
    ground->watch(&timer);
    ground->iterate();
    ground->watch(nullptr);
    ++iterations;
  });
  // Both are proved: the density, and half of the limit for the levels.
  const auto converged = [&] {
    return ground->converged() && check.max_over_ranks(ground->band_residual()) <= levels_converged;
  };
  while (parameters.flag("converge") && !converged() && iterations < most_iterations) {
    ground->iterate();
    ++iterations;
    advanced();
  }
  const double published = published_total(parameters, crystal);
  prove(check, *groups, *system, *ground, published);
  report(check, *groups, *system, *ground, crystal.cut_off, iterations);
  if (parameters.flag("converge")) report_answer(check, *system, *ground, published);
}

}  // namespace tenken::planewave
