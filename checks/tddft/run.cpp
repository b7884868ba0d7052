#include "run.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "course.hpp"
#include "dielectric.hpp"
#include "eigenvalues.hpp"
#include "electrons.hpp"
#include "film_run.hpp"
#include "input.hpp"
#include "norm_loss.hpp"
#include "numerics/dft/fingerprint.hpp"
#include "observer.hpp"
#include "proofs.hpp"
#include "shares.hpp"
#include "start.hpp"
#include "steps.hpp"
#include "this_check.hpp"
#include "trial.hpp"

namespace tenken::tddft {

namespace {

namespace section = this_check::section;

// Energies of photons up to 30 eV, from what a run of this length resolves.
void write_response(Check& check, const Course& course, const Settings& settings) {
  if (settings.pulse.shape != Shape::step) return;
  constexpr int rows = 300;
  constexpr double spacing = 0.1;  // eV
  const Response response{course.current, settings.pulse.amplitude, settings.dt};
  const double least = resolved_energy(settings.dt * static_cast<double>(course.current.size() - 1));
  Table table;
  table.name = "dielectric";
  table.unit = "1";
  table.columns = {"eV", "Re epsilon", "Im epsilon"};
  for (int i = 1; i <= rows; ++i) {
    const double energy = i * spacing;
    if (energy * electron_volt < least) continue;
    const dft::Complex epsilon = response.epsilon(energy * electron_volt);
    table.rows.push_back(std::to_string(i));
    table.values.insert(table.values.end(), {energy, epsilon.real(), epsilon.imag()});
  }
  const double cut = sum_rule_cut(settings.dt), sum = response.sum_rule(cut);
  check.value("resolved_energy", "eV", least / electron_volt);
  check.value("constant_current", "1", response.constant_part());
  check.value("sum_rule", "1", sum);
  check.value("sum_rule_cut", "Ha", cut);
  check.value("has_dielectric", "flag", table.rows.empty() ? 0 : 1);
  if (table.rows.empty()) return;
  check.table(table);
  check.value("epsilon_at_zero", "1", response.epsilon_at_zero());
  check.prove(this_check::validity::sum_rule, std::abs(sum - 1));
}

}  // namespace

void body(Check& check) {
  const Wishes wishes(check.parameters());
  const dft::Input input = crystal(wishes);
  const int steps = check.planned(static_cast<int>(wishes.integer("steps")));
  Settings chosen = settings(check, wishes, input);
  wishes.real("ground_state");
  wishes.integer("ground_state_steps");
  const FilmSettings film = film_settings(wishes, chosen);
  const std::int64_t observe = wishes.integer("observe"), every = wishes.integer("checkpoint_steps");
  if (wishes.file()) wishes.file()->require_all_read();
  const dft::System system = dft::make_system(input);
  require_stable(chosen, system.grid, 0);
  if (film.grid.film > 0) return film_body(check, wishes, system, chosen, film, steps);
  const auto shares = shares_of(static_cast<std::int64_t>(system.k_points.size()), system.bands(),
                                check.parameters().integers("weights"), check.ranks());
  const dft::Share share = shares[static_cast<std::size_t>(check.rank())], most = most_of(shares);
  check.require_memory(static_cast<double>(dft::ground_state_bytes(system, most.k.size(), 4, check.threads()) +
                                           most.orbitals() * system.grid.size() * 16),
                       "orbitals");
  const dft::Reduce reduce = sums_over(check.comm());
  const KGroup group(check.comm(), share);
  const dft::SameK same_k = group.same_k();
  choose_layout(check, system, chosen, most);
  Electrons electrons(system, share, chosen, check.threads());
  Course course;
  Checkpoints moving = checkpoints(check, "real time", fingerprint(input, chosen), share.k);
  Checkpoints places = checkpoints(check, "ground state", dft::fingerprint(input), share.k);
  const bool levels = !k_of_levels(check.parameters().integers("levels"), system.grid.cell).empty();
  const bool anew = check.parameters().text("restart").empty();
  std::optional<Observer> observer;
  {
    const Section s{section::setup};
    const std::int64_t done =
        anew ? -1
             : moving.load([&](std::istream& in, std::int64_t) { return course.restore(in) && electrons.restore(in); });
    if (done >= steps) {
      refuse("the checkpoint is of step " + std::to_string(done) + ", but the run ends at step " +
             std::to_string(steps) + "; use more --steps");
    }
    dft::GroundState start;
    if (done < 0 || observe > 0 || levels) start = first_state(wishes, system, share.k, reduce, same_k, places, anew);
    if (done < 0) {
      require_stable(chosen, system.grid, *std::max_element(start.potential.begin(), start.potential.end()));
      require_proofs(check, system, start, chosen, steps);
      begin(electrons, course, system, start, reduce);
      course.gap = gap_of(check, system, start);
    }
    write_levels(check, system, start, options_for(wishes, system.grid), reduce);
    if (observe > 0) {
      observer.emplace(system, input, std::move(start), options_for(wishes, system.grid), same_k);
      if (done < 0) observer->look(electrons, reduce, course.observed);
    }
  }
  write_facts(check, system, electrons, course);
  const StepWork work(system, electrons);
  {
    Timing timing{check, steps - static_cast<int>(electrons.steps())};
    while (electrons.steps() < steps) {
      {
        const auto repetition = timing.next();
        {
          const Section s{section::step};
          one_step(electrons, work, reduce);
        }
        note(electrons, course);
      }
      if (observer && electrons.steps() % observe == 0) observer->look(electrons, reduce, course.observed);
      if (electrons.steps() % every == 0) {
        moving.save(electrons.steps(), [&](std::ostream& out) {
          course.save(out);
          electrons.save(out);
        });
      }
    }
  }
  const double after = energies(system, electrons, reduce).total();
  write_currents(check, course, chosen.dt);
  write_farthest_k(check, system, chosen.axis, greatest_a(course));
  write_response(check, course, chosen);
  if (observer) observer->write(check, course.observed);
  check.value("energy", "Ha", after);
  check.value("energy_gained", "Ha", after - course.energy_before);
  Errors errors = errors_of(system, electrons, reduce);
  errors.work = work_error(course, system.grid.volume(), after);
  prove(check, errors, steps);
  prove_ground_state(check, wishes, course.ground_residual);
}

}  // namespace tenken::tddft
