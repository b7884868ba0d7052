#include "film_run.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "course.hpp"
#include "eigenvalues.hpp"
#include "film_tables.hpp"
#include "norm_loss.hpp"
#include "proofs.hpp"
#include "shares.hpp"
#include "start.hpp"
#include "steps.hpp"
#include "this_check.hpp"
#include "trial.hpp"

namespace tenken::tddft {

namespace {

namespace section = this_check::section;

// The crystal at one macro point.
struct MacroPoint {
  MacroPoint(std::int64_t place, const dft::System& system, const dft::Share& share, const Settings& settings,
             int threads)
      : place(place), electrons(system, share, settings, threads) {}
  std::int64_t place;
  Electrons electrons;
  Course course;
};

// into_light: part of the crystal's current that the light gets; 0 of a film that is vacuum.
void one_step_of_all(Film& film, std::vector<std::unique_ptr<MacroPoint>>& points, std::vector<double>& currents,
                     double into_light, const StepWork& work, const dft::Reduce& reduce) {
  const Work exchanged{.bytes_read = film.bytes(), .bytes_written = film.bytes(), .messages = film.messages()};
  const Section s{section::step};
  {
    const Section e{section::step_exchange};
    film.post();
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    Electrons& electrons = points[i]->electrons;
    electrons.take_field(film.now(points[i]->place), film.next(points[i]->place));
    one_step(electrons, work, reduce);
    currents[i] = into_light * electrons.current()[electrons.settings().axis];
  }
  {
    const Section e{section::step_exchange, exchanged};
    film.receive(currents);
  }
  const Section m{section::step_maxwell};
  film.advance();
}

}  // namespace

void film_body(Check& check, const Wishes& wishes, const dft::System& system, Settings settings,
               const FilmSettings& of_film, int steps) {
  const Levels levels(check.comm(), of_film.grid.film);
  const auto shares =
      shares_of(static_cast<std::int64_t>(system.k_points.size()), system.bands(), {1}, levels.places());
  const dft::Share share = shares[static_cast<std::size_t>(levels.place())], most = most_of(shares);
  const std::int64_t most_points = (of_film.grid.film + levels.groups() - 1) / levels.groups();
  check.require_memory(static_cast<double>(dft::ground_state_bytes(system, most.k.size(), 4, check.threads()) +
                                           most_points * most.orbitals() * system.grid.size() * 16),
                       "orbitals");
  const dft::Reduce reduce = sums_over(levels.within());
  const KGroup group(levels.within(), share);
  choose_layout(check, system, settings, most);
  Film film(of_film.grid, levels, of_film.exchange, settings.pulse, check.fault("stale_message"));
  std::vector<std::unique_ptr<MacroPoint>> points;
  {
    const Section s{section::setup};
    Checkpoints none = checkpoints(check, "ground state", 0, share.k);
    const dft::GroundState ground = first_state(wishes, system, share.k, reduce, group.same_k(), none, true);
    require_stable(settings, system.grid, *std::max_element(ground.potential.begin(), ground.potential.end()));
    require_proofs(check, system, ground, settings, steps);
    const double gap = gap_of(check, system, ground);
    for (std::int64_t place = levels.points().first; place < levels.points().last; ++place) {
      points.push_back(std::make_unique<MacroPoint>(place, system, share, settings, check.threads()));
      points.back()->electrons.take_field(film.now(place), film.next(place));
      begin(points.back()->electrons, points.back()->course, system, ground, reduce);
      points.back()->course.gap = gap;
    }
  }
  const MacroPoint& first = *points.front();
  write_facts(check, system, first.electrons, first.course, of_film.grid.film);
  const StepWork work(system, first.electrons);
  const double into_light = of_film.vacuum ? 0 : check.fault("growing_film") ? -1 : 1;
  LightSeries light;
  note(film, light);
  {
    Timing timing{check, steps};
    std::vector<double> currents(points.size());
    for (int n = 0; n < steps; ++n) {
      const auto repetition = timing.next();
      one_step_of_all(film, points, currents, into_light, work, reduce);
      for (const auto& point : points) note(point->electrons, point->course);
      note(film, light);
    }
  }
  std::vector<const Course*> courses;
  Errors worst;
  double gained = 0, farthest = 0;
  for (const auto& point : points) {
    const double after = energies(system, point->electrons, reduce).total();
    Errors errors = errors_of(system, point->electrons, reduce);
    errors.work = work_error(point->course, system.grid.volume(), after);
    worst.take_worse(errors);
    gained += after - point->course.energy_before;
    farthest = std::max(farthest, greatest_a(point->course));
    courses.push_back(&point->course);
  }
  const FilmSeries series = film_series(levels, courses, std::move(light));
  write_film(check, series, of_film.grid);
  prove_reflectance(check, series, of_film.grid, settings.pulse, steps, of_film.vacuum);
  write_farthest_k(check, system, settings.axis, check.max_over_ranks(farthest));
  check.value("energy_gained", "Ha", check.sum_over_ranks(levels.place() == 0 ? gained : 0));
  prove(check, worst, steps);
  check.prove(this_check::validity::light, check.max_over_ranks(film.imbalance()));
  prove_ground_state(check, wishes, first.course.ground_residual);
}

}  // namespace tenken::tddft
