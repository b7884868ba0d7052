#include "solve.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "device/cg.hpp"
#include "device/even_odd.hpp"
#include "gpu/take_card.hpp"
#include "numerics/replay.hpp"
#include "qcd/cg.hpp"
#include "qcd/gauge/start.hpp"
#include "qcd/launch/even_odd.hpp"
#include "qcd/proofs.hpp"
#include "sections.hpp"
#include "this_check.hpp"

namespace tenken::lqcd {

using namespace qcd;

namespace {

constexpr int most_iterations_normal = 1000;
constexpr int most_iterations_even_odd = 5000;
// What one iteration on the normal equations touches: links and the fields x, r, p, D p and D^dagger D p.
constexpr double bytes_a_site_and_iteration = 576 + 5 * 192;
constexpr double rounding = 1e-12;  // of what is proved in double precision
constexpr int most_slices = 16;     // recorded
// Of |r|^2 / |b|^2 and of |b - D x| / |b|: far below it a solve iterates on rounding errors alone, and at last divides
// zero by zero.
constexpr double exhausted_normal = 1e-30;
constexpr double exhausted_even_odd = 1e-14;

// |x|^2 on the first time slices, as values.
void record_slices(Check& check, const std::vector<double>& x2) {
  for (std::size_t t = 0; t < std::min<std::size_t>(x2.size(), most_slices); ++t) {
    char name[32];
    std::snprintf(name, sizeof name, "slice_%03zu", t);
    check.value(name, "1", x2[t]);
  }
}

// Of the normal equations by `cg`, a qcd::Cg or another with its functions.
template <class AnyCg>
void time_normal(Check& check, const Wilson& h, AnyCg& cg) {
  const auto asked = static_cast<int>(check.parameters().integer("iterations"));
  Replay replay;
  std::vector<double> x2;
  check.repeat([&](int repetition) {
    if (replay.rehearsed()) return replay.step(cg, repetition);
    replay.rehearse(cg, asked > 0 ? asked : most_iterations_normal, asked > 0 ? exhausted_normal : Cg::converged);
    x2 = slices(check.comm(), h.geometry(), cg.x());
  });
  check.prove(validity::repeat, check.max_over_ranks(replay.deviation()));
  check.prove(validity::residual, cg.residual_error(), rounding, "double precision");
  if (asked == 0) check.prove(validity::residual_converged, replay.last());
  check.value("iterations", "1", replay.iterations());
  check.value("working_set_bytes", "B",
              bytes_a_site_and_iteration * static_cast<double>(product(h.geometry().block.lattice())));
  check.value("residual", "1", replay.last());
  record_slices(check, x2);
}

void time_even_odd(Check& check, Wilson& h, const Field& source, EvenOddSolver& solver) {
  const Parameters& parameters = check.parameters();
  const bool mixed = solver.real_bytes() == sizeof(float);
  const auto asked = static_cast<int>(parameters.integer("iterations"));
  const double tolerance = parameters.real("tolerance");
  const int most = asked > 0 ? asked : most_iterations_even_odd;
  const double enough = asked > 0 ? std::max(exhausted_even_odd, mixed ? tolerance : 0.0) : tolerance;
  Replay replay;
  double seconds = 0;
  int updates = 0;
  check.repeat([&](int repetition) {
    if (replay.rehearsed()) return replay.step(solver, repetition);
    const auto begin = std::chrono::steady_clock::now();
    replay.rehearse(solver, most, enough);
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    updates = solver.updates();
  });
  check.prove(validity::repeat, check.max_over_ranks(replay.deviation()));

  // A whole solve once more, whose solution is proved by the plain operator, which shares no code with the solver.
  replay.solve(solver);
  Field x = make_field(h.geometry()), r = make_field(h.geometry());
  solver.solution(x);
  const double residual = residual_of(check.comm(), h, source, x, r) / std::sqrt(check.sum_over_ranks(norm2(source)));
  check.prove(validity::residual, solver.residual_error(0, residual), rounding, "double precision");
  if (asked == 0) {
    check.prove(validity::solution, residual, tolerance,
                "no convergence to --tolerance within " + std::to_string(most_iterations_even_odd) +
                    " iterations where this fails: kappa may be critical, or --tolerance below rounding");
    check.value("time_to_solution", "s", check.max_over_ranks(seconds));
  }
  check.value("iterations", "1", replay.iterations());
  check.value("updates", "1", updates);
  check.value("residual", "1", residual);
  record_layout(check, solver);
  record_slices(check, slices(check.comm(), h.geometry(), x));
}

}  // namespace

void solve_normal(Check& check, Wilson& h, const Field& source) {
  Cg cg(check.comm(), h, source, sections);
  time_normal(check, h, cg);
}

void solve_even_odd(Check& check, Wilson& h, const ExtendedLinks& links, const Field& source) {
  const bool mixed = check.parameters().text("solver") == "mixed";
  const auto solver = proved_even_odd(check, h, links, std::span(&source, 1), mixed, sections);
  time_even_odd(check, h, source, *solver);
}

void solve_on_device(Check& check, device::Device& device, Wilson& h, const ExtendedLinks& links, const Field& source) {
  const Parameters& parameters = check.parameters();
  const std::string& kind = parameters.text("solver");
  gpu::record_section_cost(check, device.name(), device.section_cost());  // subtracted nowhere
  const device::HoppingOptions hopping{.overlap = parameters.text("overlap") == "on",
                                       .barrier = parameters.text("barrier") == "on"};
  if (kind == "normal") {
    device::Cg cg(check.comm(), device, h, links, source, hopping, sections);
    return time_normal(check, h, cg);
  }
  const auto solver = device::make_even_odd(check.comm(), device, h.geometry(), links, h.kappa(), source,
                                            {.mixed = kind == "mixed",
                                             .rows = parameters.text("links") == "12" ? 2 : colours,
                                             .hopping = hopping,
                                             .sections = sections});
  prove_operator(check, h, *solver);
  time_even_odd(check, h, source, *solver);
}

}  // namespace tenken::lqcd
