#include "input.hpp"

#include <unistd.h>

#include <algorithm>
#include <string>

#include "base/checkpoint.hpp"
#include "base/error.hpp"
#include "numerics/dft/fingerprint.hpp"
#include "numerics/dft/gth.hpp"
#include "numerics/dft/input.hpp"
#include "numerics/dft/xc.hpp"
#include "simd/vec.hpp"

namespace tenken::tddft {

namespace {

// Taylor expansions of 4th order let every eigenvalue up to it shrink: |sum (-i x)^n / n!| <= 1.
constexpr double stable = 2.828;

std::string text_of(double x) {
  std::string text = std::to_string(x);
  return text.substr(0, text.find_last_not_of('0') + 1);
}

std::array<int, 3> three(const Parameters& parameters, std::string_view name) {
  const auto given = parameters.integers(name);
  return {static_cast<int>(given[0]), static_cast<int>(given[1]), static_cast<int>(given[2])};
}

// Bytes that a way of the core's first-level cache holds, at least a line.
std::int64_t l1_way_bytes() {
  const long ways = sysconf(_SC_LEVEL1_DCACHE_ASSOC);
  return std::max<std::int64_t>(l1_bytes() / (ways > 0 ? ways : 8), 64);
}

// Planes of x that are swept together: of each 9 rows of y, and a row of 8 more planes, stay in the first-level cache.
int planes_that_fit(const dft::Grid& grid, const Form& form) {
  const std::int64_t most = form.layout == Layout::bands ? 4 : 2;  // more gain nothing
  const std::int64_t row = std::int64_t{16} * grid.points[2] * form.bands();
  return static_cast<int>(std::clamp<std::int64_t>((l1_bytes() / row - 8) / 9, 1, most));
}

Pulse pulse(const Wishes& wishes, double duration) {
  Pulse p{.shape = shape_from(wishes.text("pulse")),
          .amplitude = field_of_intensity(wishes.real("intensity")),
          .frequency = wishes.real("photon") * electron_volt,
          .length = wishes.real("pulse_length") * femtosecond,
          .delay = wishes.real("pulse_delay") * femtosecond};
  if (p.shape == Shape::step) p.amplitude = wishes.real("step_a");
  if (p.length == 0) p.length = p.shape == Shape::two ? duration / 2 : duration;
  if (p.delay == 0) p.delay = p.length;
  constexpr double rounding = 1 + 1e-9;
  if (p.end() > duration * rounding) {
    refuse("the pulse lasts " + text_of(p.end() / femtosecond) + " fs, but the run " + text_of(duration / femtosecond) +
           " fs; use more --steps, or less --pulse_length and --pulse_delay");
  }
  return p;
}

void require_fine(const dft::Input& input, bool coarse) {
  if (coarse || std::any_of(input.grid.points.begin(), input.grid.points.end(), [](int n) { return n < 5; })) return;
  std::string text;
  for (const std::string& warning : dft::coarse_grid_warnings(input.grid, input.atoms)) text += warning + "; ";
  if (!text.empty()) refuse(text + "or --coarse true where energies are not meant");
}

}  // namespace

std::int64_t l1_bytes() {
  const long known = sysconf(_SC_LEVEL1_DCACHE_SIZE);
  return known > 0 ? known : 32 << 10;
}

void take_layout(Settings& settings, Layout layout, const dft::Grid& grid) {
  settings.form = form_of(layout, grid, settings.vector_bytes);
  if (settings.kernel == Kernel::vectors) settings.form.gap = gap_for(grid, settings.form, l1_way_bytes());
  settings.planes_at_once = planes_that_fit(grid, settings.form);
}

dft::Input crystal(const Wishes& wishes) {
  const Parameters& parameters = wishes.parameters();
  dft::Input input;
  if (wishes.file()) {
    for (const char* name : {"cell", "grid", "kpoints", "reduction", "functional"}) {
      if (parameters.given(name)) {
        refuse("--" + std::string(name) + " and --input are both given; change the file, or leave one of them out");
      }
    }
    input = dft::input_from(*wishes.file());
  } else {
    input = dft::example(parameters.text("cell"));
    const auto grid = three(parameters, "grid");
    if (grid != std::array<int, 3>{}) {
      if (*std::min_element(grid.begin(), grid.end()) < 4) {
        refuse("grid '" + parameters.text("grid") + "' has less than 4 points along an axis; use at least 4, or 0,0,0");
      }
      input.grid.points = grid;
    }
    input.k_grid = three(parameters, "kpoints");
    input.reduction = static_cast<int>(parameters.integer("reduction"));
    input.functional = dft::functional_from(parameters.text("functional"));
  }
  if (const std::string& path = parameters.text("pseudopotentials"); !path.empty()) {
    dft::use_pseudopotentials(path, input.atoms);
  }
  require_fine(input, wishes.flag("coarse"));
  const std::string axis = wishes.text("axis");
  if (input.reduction > 1 && axis != "z") {
    refuse("reduction " + std::to_string(input.reduction) + " needs a field along z, but axis is '" + axis +
           "'; use --axis z or --reduction 1");
  }
  return input;
}

Settings settings(const Check& check, const Wishes& wishes, const dft::Input& crystal) {
  const Parameters& parameters = check.parameters();
  const dft::Grid& grid = crystal.grid;
  Settings s;
  s.kernel = check.variant() == "explicit"  ? Kernel::vectors
             : check.variant() == "fortran" ? Kernel::fortran
                                            : Kernel::compiled;
  if (s.kernel == Kernel::vectors) {
    const std::string& asked = parameters.text("vector_bytes");
    s.vector_bytes = asked == "build" ? vector_bytes : std::stoi(asked);
    s.by_trial = parameters.text("layout") == "auto";
    s.prefetch_bytes = std::stoi(parameters.text("prefetch"));
  }
  const bool bands = s.kernel == Kernel::vectors && parameters.text("layout") == "bands";
  take_layout(s, bands ? Layout::bands : Layout::points, grid);
  s.propagator = wishes.text("propagator") == "midpoint" ? Propagator::midpoint : Propagator::aetrs;
  s.dt = wishes.real("dt");
  s.pulse = pulse(wishes, s.dt * static_cast<double>(wishes.integer("steps")));
  s.axis = static_cast<std::size_t>(wishes.text("axis")[0] - 'x');
  s.fault = check.fault("gradient_sign")         ? Fault::gradient_sign
            : check.fault("missing_phase")       ? Fault::missing_phase
            : check.fault("unsymmetric_density") ? Fault::unsymmetric_density
            : check.fault("stale_current")       ? Fault::stale_current
                                                 : Fault::none;
  if (check.fault("stale_message") && (check.ranks() == 1 || wishes.integer("macro_points") < 2)) {
    refuse("fault stale_message needs messages: two --macro_points and two ranks at least");
  }
  if (check.fault("growing_film") && (wishes.integer("macro_points") == 0 || wishes.text("macro_medium") == "vacuum")) {
    refuse("fault growing_film needs a film of the crystal: --macro_points 1 at least and --macro_medium crystal");
  }
  if (s.fault == Fault::unsymmetric_density && crystal.reduction == 1) {
    refuse("fault unsymmetric_density needs reduced k-points; use --reduction 4 or 8");
  }
  return s;
}

FilmSettings film_settings(const Wishes& wishes, const Settings& s) {
  FilmSettings film;
  film.grid = {.vacuum = wishes.integer("macro_vacuum"),
               .film = wishes.integer("macro_points"),
               .spacing = wishes.real("macro_spacing"),
               .dt = s.dt};
  film.exchange = wishes.text("exchange") == "gather" ? Exchange::gather : Exchange::neighbours;
  film.vacuum = wishes.text("macro_medium") == "vacuum";
  if (film.grid.film == 0) return film;
  if (s.pulse.shape == Shape::step || s.pulse.shape == Shape::none) {
    refuse("a film needs light that begins and ends, but pulse is '" + wishes.text("pulse") +
           "'; use asin2cos, esin2sin or two, or --macro_points 0");
  }
  if (s.pulse.amplitude == 0) refuse("a film needs light, but intensity is 0; use more, such as --intensity 1e12");
  if (film.grid.spacing < light_speed * s.dt) {
    refuse("light goes " + text_of(light_speed * s.dt) + " Bohr in a step, but macro_spacing is " +
           text_of(film.grid.spacing) + "; use at least as much, or less --dt");
  }
  if (wishes.parameters().given("levels")) refuse("a film has no --levels; leave it out, or use --macro_points 0");
  if (wishes.integer("observe") > 0) refuse("a film has no --observe; leave it out, or use --macro_points 0");
  for (const char* name : {"checkpoint", "restart"}) {
    if (!wishes.parameters().text(name).empty()) {
      refuse("a film has no --" + std::string(name) + "; leave it out, or use --macro_points 0");
    }
  }
  if (wishes.parameters().given("weights")) {
    refuse("ranks of a film have equal shares of k-points; leave --weights out, or use --macro_points 0");
  }
  return film;
}

void require_stable(const Settings& s, const dft::Grid& grid, double highest) {
  const double limit =
      stable / (dft::largest_kinetic(dft::Stencil(grid, {})) + highest) * (s.propagator == Propagator::aetrs ? 2 : 1);
  if (s.dt > limit) {
    refuse("dt " + text_of(s.dt) + " is beyond the limit of the Taylor expansion on this grid; use less than " +
           text_of(limit));
  }
}

std::uint64_t fingerprint(const dft::Input& crystal, const Settings& s) {
  const auto add = [](std::uint64_t state, const auto& value) { return tenken::fingerprint(state, value); };
  std::uint64_t state = add(add(add(dft::fingerprint(crystal), s.propagator), s.dt), s.axis);
  state = add(add(add(state, s.pulse.shape), s.pulse.amplitude), s.pulse.frequency);
  return add(add(state, s.pulse.length), s.pulse.delay);
}

}  // namespace tenken::tddft
