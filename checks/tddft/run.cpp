#include "run.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "electrons.hpp"
#include "input.hpp"
#include "nonlocal.hpp"
#include "observables.hpp"
#include "proofs.hpp"
#include "simd/vec.hpp"
#include "this_check.hpp"

namespace tenken::tddft {

namespace {

namespace section = this_check::section;

void add_up(MPI_Comm comm, double* numbers, std::size_t n) {
  MPI_Allreduce(MPI_IN_PLACE, numbers, static_cast<int>(n), MPI_DOUBLE, MPI_SUM, comm);
}

dft::GroundState first_state(const Check& check, const dft::System& system, Range k_range, const dft::Reduce& reduce) {
  dft::GroundStateOptions options;
  options.tolerance = check.parameters().real("ground_state");
  options.most_iterations = static_cast<int>(check.parameters().integer("ground_state_steps"));
  const Form form = form_of(Layout::points, system.grid, vector_bytes);
  options.stencil = [form](const dft::Stencil& stencil, const double* potential, const dft::Complex* in,
                           dft::Complex* out) {
    thread_local std::vector<double> scratch;
    scratch.resize(scratch_doubles(stencil.grid, form));
    stencil_explicit(form, Store::apply, stencil, potential, reinterpret_cast<const double*>(in),
                     {.out = reinterpret_cast<double*>(out)}, scratch.data());
  };
  return dft::ground_state(system, k_range, options, reduce);
}

// Work of one step on this rank. Kernels with a Taylor update of their own spend it in `update`, others in the stencil.
struct StepWork {
  StepWork(const dft::System& system, const Electrons& electrons, Range k_range, bool fused) {
    const std::int64_t orbitals = k_range.size() * system.bands(), points = system.grid.size();
    const std::int64_t applied = orbitals * electrons.applications();
    constexpr std::int64_t taylor_flop = 8;  // a point and term
    stencil.flop = applied * points * counted_flop;
    nonlocal.flop = applied * nonlocal_flop(electrons.projectors());
    if (!fused) update.flop = applied * points * taylor_flop;
    density.flop = orbitals * points * density_flop;
    current.flop = orbitals * points * current_flop;
    const std::int64_t bytes = (points + 3) * std::int64_t{sizeof(double)};
    reduced = {.bytes_read = bytes, .bytes_written = bytes, .messages = 1};
  }
  Work stencil, nonlocal, update, density, current, reduced;
};

void one_step(Electrons& electrons, const StepWork& work, const dft::Reduce& reduce) {
  const Section s{section::step};
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

// Trapezoidal sums of volume J dA, as they are and of |J dA|.
struct FieldWork {
  double done = 0, moved = 0;
  void add(double volume, double current, double before, double da) {
    const double part = volume * 0.5 * (current + before) * da;
    done += part;
    moved += std::abs(part);
  }
};

void write_currents(Check& check, const std::vector<double>& a, const std::vector<double>& current, double dt) {
  Table table;
  table.name = "current";
  table.unit = "atomic units";
  table.columns = {"t", "A", "J"};
  for (std::size_t i = 0; i < a.size(); ++i) {
    table.rows.push_back(std::to_string(i));
    table.values.insert(table.values.end(), {static_cast<double>(i) * dt, a[i], current[i]});
  }
  check.table(table);
}

void write_values(Check& check, const dft::System& system, const dft::GroundState& start, const Settings& settings,
                  const Electrons& electrons) {
  check.value("ground_state_energy", "Ha", start.energies.total());
  check.value("ground_state_iterations", "1", start.iterations);
  check.value("k_points", "1", static_cast<double>(system.k_points.size()));
  check.value("bands", "1", system.bands());
  check.value("vector_bytes", "B", settings.form.bytes);
  check.value("bands_of_a_block", "1", settings.form.bands());
  check.value("projector_points", "1", static_cast<double>(electrons.projectors().points()));
  check.value("projector_radius", "Bohr", system.projectors.empty() ? 0 : system.projectors.front().radius);
  const double applied = static_cast<double>(system.bands()) * electrons.applications() *
                         static_cast<double>(system.k_points.size() * static_cast<std::size_t>(system.grid.size()));
  check.value("points_of_a_step", "1", applied);
}

}  // namespace

void body(Check& check) {
  const Parameters& parameters = check.parameters();
  const dft::Input input = crystal(parameters);
  const int steps = check.planned(static_cast<int>(parameters.integer("steps")));
  pulse(parameters, parameters.real("dt") * static_cast<double>(parameters.integer("steps")));  // refused early
  const dft::System system = dft::make_system(input);
  const auto k_count = static_cast<std::int64_t>(system.k_points.size());
  if (check.ranks() > k_count) {
    refuse("there are " + std::to_string(check.ranks()) + " ranks, but " + std::to_string(k_count) +
           " k-points to share; use fewer ranks or more --kpoints");
  }
  const Range k_range = share_of(k_count, check.rank(), check.ranks());
  const std::int64_t most_k = share_of(k_count, 0, check.ranks()).size();
  check.require_memory(static_cast<double>(dft::ground_state_bytes(system, most_k, 4, check.threads()) +
                                           most_k * system.bands() * system.grid.size() * 16),
                       "orbitals");
  const dft::Reduce reduce = [&](double* numbers, std::size_t n) { add_up(check.comm(), numbers, n); };
  dft::GroundState start;
  {
    const Section s{section::setup};
    start = first_state(check, system, k_range, reduce);
  }
  const double highest = *std::max_element(start.potential.begin(), start.potential.end());
  const Settings chosen = settings(check, system.grid, highest);
  Electrons electrons(system, start, chosen, check.threads());
  write_values(check, system, start, chosen, electrons);
  start.orbitals = {};

  const double before = energies(system, k_range, electrons, electrons.a(), reduce).total();
  const StepWork work(system, electrons, k_range, chosen.kernel == Kernel::vectors);
  std::vector<double> a{electrons.a()[chosen.axis]}, current{0};
  FieldWork field;
  {
    Timing timing{check, steps};
    for (int step = 0; step < steps; ++step) {
      const auto repetition = timing.next();
      one_step(electrons, work, reduce);
      a.push_back(electrons.a()[chosen.axis]);
      current.push_back(electrons.current()[chosen.axis]);
      field.add(system.grid.volume(), current.back(), current[current.size() - 2], a.back() - a[a.size() - 2]);
    }
  }
  const double after = energies(system, k_range, electrons, electrons.a(), reduce).total();
  write_currents(check, a, current, chosen.dt);
  check.value("energy", "Ha", after);
  check.value("energy_gained", "Ha", after - before);
  prove_state(check, system, k_range, electrons, reduce);
  // Below it, energies differ by what self-consistency left over.
  constexpr double least = 1e-6;
  check.prove(this_check::validity::work, std::abs(after - before - field.done) / (field.moved + least));
  check.prove(this_check::validity::ground_state, start.residual, 100 * parameters.real("ground_state"),
              "what was asked for, when iterations ended");
}

}  // namespace tenken::tddft
