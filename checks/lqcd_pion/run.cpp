#include "run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "free.hpp"
#include "numerics/replay.hpp"
#include "qcd/boundary.hpp"
#include "qcd/launch/even_odd.hpp"
#include "qcd/pion.hpp"
#include "sections.hpp"
#include "this_check.hpp"

namespace tenken::lqcd_pion {

using namespace qcd;

namespace {

constexpr int most_iterations = 5000;  // of the solve that is repeated
constexpr double deep_enough = 1e-10;
constexpr double rounding = 1e-13;

void prove(Check& check, const Wilson& h, const Pion& pion, double tolerance) {
  check.prove(validity::solution, pion.residual, pion.limit,
              "--tolerance, or rounding where that is more; kappa may be critical where this fails");
  double total = 0;
  for (const double c : pion.correlator) total += c;
  check.prove(validity::pion_sum, std::abs(total - pion.sum) / pion.sum);
  // An element of G is off by at most |x of its sink| x |b - D x|.
  check.prove(validity::pion_hermiticity, pion.asymmetry, 2 * tolerance + rounding, "2 x tolerance");
  const Parameters& parameters = check.parameters();
  if (parameters.text("configuration").empty() && parameters.text("start") == "cold") {
    const FreePion expected = free_pion(h.geometry().block.lattice(), boundary_of(parameters), h.kappa());
    check.prove(validity::pion_free, free_pion_error(pion.correlator, expected), tolerance + rounding, "tolerance");
  }
}

void record(Check& check, const Pion& pion) {
  check.value("iterations", "1", pion.iterations);
  check.value("residual", "1", pion.residual);
  for (std::size_t t = 0; t < pion.correlator.size(); ++t) {
    char name[32];
    std::snprintf(name, sizeof name, "pion_%03zu", t);
    check.value(name, "1", pion.correlator[t]);
  }
}

}  // namespace

int together_asked(const Parameters& parameters) {
  const auto together = static_cast<int>(parameters.integer("together"));
  if (together == 1) return together;
  const std::string given = "--together " + std::to_string(together);
  if (point_sources % together != 0) {
    refuse(given + " must divide the 12 point sources; give 1, 2, 3, 4, 6 or 12");
  }
  if (parameters.text("solver") == "normal") {
    refuse(given + " needs an even-odd solver; leave it out or give --solver even_odd or mixed instead of normal");
  }
  if (parameters.text("storage") == "once") {
    refuse(given + " needs links stored twice; leave --storage out or give twice instead of once");
  }
  return together;
}

double bytes_a_site(const Parameters& parameters) {
  const int together = together_asked(parameters);
  const double own = (5 * together + 2) * 192.0;
  return own + (parameters.text("solver") == "normal" ? 0 : even_odd_bytes_a_site(together));
}

void solve_pion(Check& check, PreparedField& field, const Index4& site) {
  const Parameters& parameters = check.parameters();
  Wilson& h = field.h();
  const Geometry& g = field.geometry();
  const double tolerance = parameters.real("tolerance");
  const int together = together_asked(parameters);
  std::vector<Field> b = make_fields(g, together), x = make_fields(g, together);
  fill_sources(g, site, 0, b);

  std::optional<ExtendedLinks> around;
  std::unique_ptr<LinearSolver> solver;
  if (parameters.text("solver") == "normal") {
    solver = make_normal(check.comm(), h, sections);
  } else {
    around.emplace(check.comm(), g, field.links());
    auto even_odd = proved_even_odd(check, h, *around, b, parameters.text("solver") == "mixed", sections);
    record_layout(check, *even_odd);
    solver = std::move(even_odd);
  }

  Pion all;
  double seconds = 0;
  Replay replay;
  check.repeat([&](int repetition) {
    if (replay.rehearsed()) return replay.step(*solver, repetition);
    const auto begin = std::chrono::steady_clock::now();
    all = pion(check.comm(), h, *solver, site, tolerance);
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    solver->take(b);
    replay.rehearse(*solver, most_iterations, std::max(tolerance, deep_enough));
  });
  check.prove(validity::repeat, check.max_over_ranks(replay.deviation()));
  replay.solve(*solver);
  solver->solution(x);
  Field r = make_field(g);
  double error = 0;
  for (int k = 0; k < together; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const double anew = solver->residual_error(k, residual_of(check.comm(), h, b[at], x[at], r));
    if (!(anew <= error)) error = anew;
  }
  check.prove(validity::residual, error, 1e-12, "double precision");

  prove(check, h, all, tolerance);
  check.value("time_to_solution", "s", check.max_over_ranks(seconds));
  record(check, all);
}

}  // namespace tenken::lqcd_pion
