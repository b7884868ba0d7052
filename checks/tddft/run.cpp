#include "run.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "course.hpp"
#include "dielectric.hpp"
#include "electrons.hpp"
#include "input.hpp"
#include "nonlocal.hpp"
#include "observables.hpp"
#include "observer.hpp"
#include "proofs.hpp"
#include "restart.hpp"
#include "shares.hpp"
#include "simd/vec.hpp"
#include "this_check.hpp"

namespace tenken::tddft {

namespace {

namespace section = this_check::section;

void add_up(MPI_Comm comm, double* numbers, std::size_t n) {
  MPI_Allreduce(MPI_IN_PLACE, numbers, static_cast<int>(n), MPI_DOUBLE, MPI_SUM, comm);
}

// Files of a stage: --checkpoint says where they are written, or --restart, which they are read from.
Checkpoints checkpoints(const Check& check, const char* stage, std::uint64_t input, Range k_range) {
  const std::string& written = check.parameters().text("checkpoint");
  const std::string& read = check.parameters().text("restart");
  if (!written.empty() && !read.empty() && written != read) {
    refuse("--checkpoint and --restart name different files; --restart alone goes on writing those that it reads");
  }
  return {written.empty() ? read : written,
          {.input = input, .stage = stage, .k_range = k_range, .rank = check.rank(), .ranks = check.ranks()},
          check.comm()};
}

dft::GroundStateOptions options_for(const Wishes& wishes, const dft::Grid& grid) {
  dft::GroundStateOptions options;
  options.tolerance = wishes.real("ground_state");
  options.most_iterations = static_cast<int>(wishes.integer("ground_state_steps"));
  const Form form = form_of(Layout::points, grid, vector_bytes);
  options.stencil = [form](const dft::Stencil& stencil, const double* potential, const dft::Complex* in,
                           dft::Complex* out) {
    thread_local std::vector<double> scratch;
    scratch.resize(scratch_doubles(stencil.grid, form));
    stencil_explicit(form, Store::apply, stencil, potential, reinterpret_cast<const double*>(in),
                     {.out = reinterpret_cast<double*>(out)}, scratch.data());
  };
  return options;
}

// The ground state, going on from `places` where `anew` is false.
dft::GroundState first_state(const Wishes& wishes, const dft::System& system, Range k_range, const dft::Reduce& reduce,
                             Checkpoints& places, bool anew) {
  dft::GroundStateSolver solver(system, k_range, options_for(wishes, system.grid), reduce);
  if (!anew && places.load([&](std::istream& in) { return solver.restore(in); }) < 0) {
    refuse("there is no checkpoint '" + wishes.parameters().text("restart") +
           "' that all ranks can go on from; check the path, or leave --restart out to start anew");
  }
  const std::int64_t every = wishes.integer("checkpoint_steps"), most = wishes.integer("ground_state_steps");
  while (solver.step()) {
    const int done = solver.state().iterations;
    if (done % every == 0 || solver.state().converged || done == most) {
      places.save(done, [&](std::ostream& out) { solver.save(out); });
    }
  }
  return std::move(solver).take();
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

// Energies of photons from 0.1 to 30 eV.
void write_response(Check& check, const Course& course, const Settings& settings) {
  if (settings.pulse.shape != Shape::step) return;
  constexpr int rows = 300;
  constexpr double spacing = 0.1;  // eV
  const Response response{course.current, settings.pulse.amplitude, settings.dt};
  Table table;
  table.name = "dielectric";
  table.unit = "1";
  table.columns = {"eV", "Re epsilon", "Im epsilon"};
  for (int i = 1; i <= rows; ++i) {
    const double energy = i * spacing;
    const dft::Complex epsilon = response.epsilon(energy * electron_volt);
    table.rows.push_back(std::to_string(i));
    table.values.insert(table.values.end(), {energy, epsilon.real(), epsilon.imag()});
  }
  check.table(table);
  check.value("sum_rule", "1", response.sum_rule(sum_rule_cut));
}

void write_values(Check& check, const dft::System& system, const Course& course, const Electrons& electrons) {
  const Settings& settings = electrons.settings();
  check.value("ground_state_energy", "Ha", course.ground_energy);
  check.value("ground_state_iterations", "1", course.ground_iterations);
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
  const Wishes wishes(check.parameters());
  const dft::Input input = crystal(wishes);
  const int steps = check.planned(static_cast<int>(wishes.integer("steps")));
  const Settings chosen = settings(check, wishes, input);
  const double wanted = wishes.real("ground_state");
  wishes.integer("ground_state_steps");
  const std::int64_t observe = wishes.integer("observe"), every = wishes.integer("checkpoint_steps");
  if (wishes.file()) wishes.file()->require_all_read();
  const dft::System system = dft::make_system(input);
  require_stable(chosen, system.grid, 0);
  const auto k_count = static_cast<std::int64_t>(system.k_points.size());
  const auto shares = shares_of(k_count, check.parameters().integers("weights"), check.ranks());
  const Range k_range = shares[static_cast<std::size_t>(check.rank())];
  std::int64_t most_k = 0;
  for (const Range& share : shares) most_k = std::max(most_k, share.size());
  check.require_memory(static_cast<double>(dft::ground_state_bytes(system, most_k, 4, check.threads()) +
                                           most_k * system.bands() * system.grid.size() * 16),
                       "orbitals");
  const dft::Reduce reduce = [&](double* numbers, std::size_t n) { add_up(check.comm(), numbers, n); };
  Electrons electrons(system, k_range, chosen, check.threads());
  Course course;
  Checkpoints moving = checkpoints(check, "real time", fingerprint(input, chosen), k_range);
  Checkpoints places = checkpoints(check, "ground state", dft::fingerprint(input), k_range);
  const bool anew = check.parameters().text("restart").empty();
  std::optional<Observer> observer;
  {
    const Section s{section::setup};
    const std::int64_t done =
        anew ? -1 : moving.load([&](std::istream& in) { return course.restore(in) && electrons.restore(in); });
    if (done >= steps) {
      refuse("the checkpoint is of step " + std::to_string(done) + ", but the run ends at step " +
             std::to_string(steps) + "; use more --steps");
    }
    dft::GroundState start;
    if (done < 0 || observe > 0) start = first_state(wishes, system, k_range, reduce, places, anew);
    if (done < 0) {
      require_stable(chosen, system.grid, *std::max_element(start.potential.begin(), start.potential.end()));
      electrons.begin(start);
      course.ground_energy = start.energies.total();
      course.ground_residual = start.residual;
      course.ground_iterations = start.iterations;
      electrons.measure();
      reduce(electrons.sums().data(), electrons.sums().size());
      electrons.take_sums();
      course.a.push_back(electrons.a()[chosen.axis]);
      course.current.push_back(electrons.current()[chosen.axis]);
      course.energy_before = energies(system, k_range, electrons, electrons.a(), reduce).total();
    }
    if (observe > 0) {
      observer.emplace(system, input, std::move(start), options_for(wishes, system.grid));
      if (done < 0) observer->look(electrons, k_range, reduce, course.observed);
    }
  }
  write_values(check, system, course, electrons);
  const StepWork work(system, electrons, k_range, chosen.kernel == Kernel::vectors);
  {
    Timing timing{check, steps - static_cast<int>(electrons.steps())};
    while (electrons.steps() < steps) {
      {
        const auto repetition = timing.next();
        one_step(electrons, work, reduce);
        course.a.push_back(electrons.a()[chosen.axis]);
        course.current.push_back(electrons.current()[chosen.axis]);
      }
      if (observer && electrons.steps() % observe == 0) observer->look(electrons, k_range, reduce, course.observed);
      if (electrons.steps() % every == 0) {
        moving.save(electrons.steps(), [&](std::ostream& out) {
          course.save(out);
          electrons.save(out);
        });
      }
    }
  }
  const double after = energies(system, k_range, electrons, electrons.a(), reduce).total();
  write_currents(check, course, chosen.dt);
  write_response(check, course, chosen);
  if (observer) observer->write(check, course.observed);
  check.value("energy", "Ha", after);
  check.value("energy_gained", "Ha", after - course.energy_before);
  prove_state(check, system, k_range, electrons, reduce);
  // Below it, energies differ by what self-consistency left over.
  constexpr double least = 1e-6;
  const FieldWork field = work_of(course, system.grid.volume());
  check.prove(this_check::validity::work, std::abs(after - course.energy_before - field.done) / (field.moved + least));
  check.prove(this_check::validity::ground_state, course.ground_residual, 100 * wanted,
              "what was asked for, when iterations ended");
}

}  // namespace tenken::tddft
