#include "steps.hpp"

#include <cmath>
#include <numbers>

#include "measure/section.hpp"
#include "nonlocal.hpp"
#include "observables.hpp"
#include "proofs.hpp"
#include "this_check.hpp"

namespace tenken::tddft {

namespace section = this_check::section;

StepWork::StepWork(const dft::System& system, const Electrons& electrons) {
  const std::int64_t orbitals = electrons.share().orbitals(), points = system.grid.size();
  const std::int64_t applied = orbitals * electrons.applications();
  constexpr std::int64_t taylor_flop = 8;  // a point and term
  stencil.flop = applied * points * counted_flop;
  nonlocal.flop = applied * nonlocal_flop(electrons.projectors());
  if (electrons.settings().kernel != Kernel::vectors) update.flop = applied * points * taylor_flop;
  density.flop = orbitals * points * density_flop;
  current.flop = orbitals * points * current_flop;
  const std::int64_t bytes = (points + 3) * std::int64_t{sizeof(double)};
  reduced = {.bytes_read = bytes, .bytes_written = bytes, .messages = 1};
}

void begin(Electrons& electrons, Course& course, const dft::System& system, const dft::GroundState& ground,
           const dft::Reduce& reduce) {
  electrons.begin(ground);
  course.ground_energy = ground.energies.total();
  course.ground_residual = ground.residual;
  course.ground_iterations = ground.iterations;
  electrons.measure();
  reduce(electrons.sums().data(), electrons.sums().size());
  electrons.take_sums();
  note(electrons, course);
  course.energy_before = energies(system, electrons, reduce).total();
}

void one_step(Electrons& electrons, const StepWork& work, const dft::Reduce& reduce) {
  const Ticks ticks = electrons.propagate();
  add_sample(section::step_stencil, ticks[stencil_part], work.stencil);
  add_sample(section::step_nonlocal, ticks[nonlocal_part], work.nonlocal);
  add_sample(section::step_update, ticks[update_part], work.update);
  add_sample(section::step_density, ticks[density_part], work.density);
  add_sample(section::step_current, ticks[current_part], work.current);
  {
    const Section r{section::step_allreduce, work.reduced};
    reduce(electrons.sums().data(), electrons.sums().size());
  }
  {
    const Section u{section::step_update};
    electrons.take_sums();
  }
  {
    const Section h{section::step_hartree};
    electrons.hartree();
  }
  {
    const Section x{section::step_xc};
    electrons.exchange_correlation();
  }
  const Section u{section::step_update};
  electrons.finish_step();
}

void note(const Electrons& electrons, Course& course) {
  const std::size_t axis = electrons.settings().axis;
  course.a.push_back(electrons.a()[axis]);
  course.current.push_back(electrons.current()[axis]);
}

namespace {

// The grid and what each element needs, under a name that says where energies are not meant.
void write_grid(Check& check, const dft::System& system) {
  Table table;
  bool coarse = false;
  table.unit = "Bohr, Hartree";
  table.columns = {"spacing", "allowed spacing", "cut-off energy", "needed energy"};
  for (const dft::GridNeed& need : dft::grid_needs(system.grid, system.atoms)) {
    table.rows.push_back(need.element);
    table.values.insert(table.values.end(), {need.spacing, need.allowed, need.carried, need.needed});
    coarse = coarse || need.coarse();
  }
  table.name = coarse ? "coarse_grid_energies_not_meant" : "grid";
  check.table(table);
  check.value("coarse_grid", "flag", coarse ? 1 : 0);
}

}  // namespace

void write_facts(Check& check, const dft::System& system, const Electrons& electrons, const Course& course,
                 std::int64_t macro_points) {
  const Settings& settings = electrons.settings();
  check.value("ground_state_energy", "Ha", course.ground_energy);
  check.value("ground_state_iterations", "1", course.ground_iterations);
  check.value("k_points", "1", static_cast<double>(system.k_points.size()));
  check.value("bands", "1", system.bands());
  check.chosen("vector_bytes", "B", settings.form.bytes);
  check.chosen("bands_of_a_block", "1", settings.form.bands());
  check.value("plane_gap", "points", settings.form.gap);
  check.value("projector_points", "1", static_cast<double>(electrons.projectors().points()));
  check.value("projector_radius", "Bohr", system.projectors.empty() ? 0 : system.projectors.front().radius);
  const std::int64_t orbitals =
      macro_points * static_cast<std::int64_t>(system.k_points.size()) * system.bands() * electrons.applications();
  check.value("points_of_a_step", "1", static_cast<double>(orbitals * system.grid.size()));
  write_grid(check, system);
  // Under a name that states where bands cross: these occupations are those of an insulator.
  Table gap;
  gap.name = course.gap > 0 ? "gap" : "bands_cross_and_are_filled_as_an_insulator";
  gap.unit = "eV";
  gap.columns = {"lowest empty level minus highest occupied level, of all k"};
  gap.rows = {"gap"};
  gap.values = {course.gap / electron_volt};
  check.table(gap);
}

void write_farthest_k(Check& check, const dft::System& system, std::size_t axis, double a) {
  check.value("k_moved", "reciprocal vectors", std::abs(a) * system.grid.cell[axis] / (2 * std::numbers::pi));
}

}  // namespace tenken::tddft
