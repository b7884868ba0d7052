#include "solve.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "numerics/replay.hpp"
#include "qcd/launch/source.hpp"
#include "qcd/nested.hpp"
#include "qcd/pion.hpp"
#include "qcd/vectors.hpp"
#include "sections.hpp"

namespace tenken::lqcd_dd {

using namespace qcd;

namespace {

// Of an outer solver: without an inner solver, with it.
constexpr int most_steps = 5000, most_outer_steps = 200;
constexpr int most_inner_steps = 2000;  // of one inner solve
// A solve on its own, in single precision.
constexpr int most_single_steps = 300;
constexpr double rounding = 1e-12;

bool has_inner(const Parameters& parameters) {
  const std::string& kind = parameters.text("solver");
  return kind == "nested" || kind == "dd_bicgstab";
}

void refuse_faults(const Check& check) {
  const std::string& kind = check.parameters().text("solver");
  for (const char* const fault : {"block_halo", "wrong_colour", "stale_send", "single_only"}) {
    if (check.fault(fault) && kind != "dd_bicgstab") {
      refuse(std::string("--fault ") + fault + " needs --solver dd_bicgstab, not " + kind);
    }
  }
  for (const char* const fault : {"clover_sign", "clover_factor", "pivot_zero"}) {
    if (check.fault(fault) && check.parameters().real("csw") == 0) {
      refuse(std::string("--fault ") + fault + " needs a clover term; give --csw above 0");
    }
  }
  if (check.fault("stale_send") && check.ranks() == 1) {
    refuse("--fault stale_send needs at least 2 ranks, because a single one sends nothing; start it with mpirun -n 2");
  }
}

std::unique_ptr<InnerSolver> inner_solver(const Check& check, PreparedField& field, const ExtendedLinks& around,
                                          const Fermions& fermions) {
  const Parameters& parameters = check.parameters();
  const bool alone = check.fault("single_only");
  return make_inner(
      check.comm(), field.geometry(), around, fermions.inverse ? &*fermions.inverse : nullptr, field.h().kappa(),
      {.block = block_of(parameters),
       .schwarz = parameters.text("solver") == "dd_bicgstab",
       .preconditioner = {.solver = parameters.text("block_solver") == "ssor" ? BlockSolver::ssor : BlockSolver::minres,
                          .steps = static_cast<int>(parameters.integer("block_steps")),
                          .cycles = static_cast<int>(parameters.integer("cycles"))},
       .tolerance = alone ? parameters.real("tolerance") : parameters.real("inner_tolerance"),
       .most_steps = alone ? most_single_steps : most_inner_steps,
       .sections = block_sections,
       .faults = {.lost_face = check.fault("block_halo") && check.rank() == 0,
                  .wrong_colour = check.fault("wrong_colour") && check.rank() == 0,
                  .stale_send = check.fault("stale_send") && check.rank() == 0}});
}

// T^-1 D x by the plain operator.
Field divided(Wilson& h, const Fermions& fermions, const Field& x) {
  Field hx = make_field(h.geometry()), out = make_field(h.geometry());
  h.apply(hx, x);
  gamma_5(hx, out);
  if (fermions.inverse) {
    for (std::size_t site = 0; site < out.size(); ++site)
      out[site] = clover_times((*fermions.inverse)[site], out[site]);
  }
  return out;
}

void prove_inner(Check& check, PreparedField& field, const Fermions& fermions, InnerSolver& inner) {
  const Section timed{section::setup};
  const Geometry& g = field.geometry();
  Field psi = make_field(g), out = make_field(g), rest = make_field(g);
  fill_random(g, field.configuration().seed, Purpose::left, psi);
  const double size = std::sqrt(check.sum_over_ranks(norm2(psi)));
  inner.operate(out, psi);
  axpy(-1, divided(field.h(), fermions, psi), out);
  check.prove(validity::blocks, std::sqrt(check.sum_over_ranks(norm2(out))) / size);
  if (check.parameters().text("solver") != "dd_bicgstab") return;
  inner.sweep(out, rest, psi);
  axpy(1, divided(field.h(), fermions, out), rest);
  axpy(-1, psi, rest);
  check.prove(validity::sweep, std::sqrt(check.sum_over_ranks(norm2(rest))) / size);
}

void record(Check& check, const NestedSolver* solver, InnerSolver* inner) {
  if (solver == nullptr) return;
  check.value("restarts", "1", solver->restarts());
  check.value("updates", "1", solver->updates());
  check.value("sent_bytes", "B", check.sum_over_ranks(static_cast<double>(solver->sent_bytes())));
  if (inner == nullptr) return;
  check.value("inner_iterations", "1", static_cast<double>(solver->inner_steps()));
  check.chosen("lanes", "1", inner->width());
  check.chosen("blocks_together", "1", inner->blocks_together());
}

// The 12 solves of a pion correlator, proved and recorded.
void record_pion(Check& check, Wilson& h, LinearSolver& solver, const Index4& site) {
  const double tolerance = check.parameters().real("tolerance");
  const Pion all = pion(check.comm(), h, solver, site, tolerance);
  check.prove(validity::pion_solution, all.residual, all.limit, "--tolerance, or rounding where that is more");
  // An element of S(0, 0) is off by at most |x of its sink| x |b - D x|.
  check.prove(validity::pion_hermiticity, all.asymmetry, 2 * tolerance + 1e-13, "2 x tolerance");
  for (std::size_t t = 0; t < all.correlator.size(); ++t) {
    char name[32];
    std::snprintf(name, sizeof name, "pion_%03zu", t);
    check.value(name, "1", all.correlator[t]);
  }
}

}  // namespace

double bytes_a_site(const Parameters& parameters) {
  const double fields = 12 * 192.0, clover = 2 * 576.0;
  return fields + clover + (has_inner(parameters) ? inner_bytes_a_site : 0);
}

Index4 block_of(const Parameters& parameters) {
  if (!has_inner(parameters)) return {1, 1, 1, 1};
  const auto given = parameters.integers("block");
  Index4 block;
  for (std::size_t mu = 0; mu < dimensions; ++mu) block[mu] = static_cast<int>(given[mu]);
  return block;
}

void check_blocks(const Check& check, const Geometry& geometry) {
  refuse_faults(check);
  if (has_inner(check.parameters())) blocks_of_rank(geometry, block_of(check.parameters()));
}

void solve(Check& check, PreparedField& field, const ExtendedLinks& around, const Fermions& fermions,
           const Field& source) {
  const Parameters& parameters = check.parameters();
  Wilson& h = field.h();
  const double tolerance = parameters.real("tolerance");
  std::unique_ptr<InnerSolver> inner;
  std::unique_ptr<LinearSolver> solver;
  const NestedSolver* nested = nullptr;
  if (parameters.text("solver") == "normal") {
    solver = make_normal(check.comm(), h, normal_sections);
  } else {
    if (has_inner(parameters)) {
      inner = inner_solver(check, field, around, fermions);
      prove_inner(check, field, fermions, *inner);
    }
    auto made = std::make_unique<NestedSolver>(h, check.comm(), inner.get(),
                                               NestedOptions{.tolerance = tolerance,
                                                             .hop = section::drbicgstab_dd_operator,
                                                             .sections = block_sections,
                                                             .untested = check.fault("single_only")});
    nested = made.get();
    solver = std::move(made);
  }
  solver->take(source);

  const int most = inner != nullptr ? most_outer_steps : most_steps;
  // The normal equations know |D^dagger (b - D x)| only, which may be smaller than |b - D x|.
  const double enough = nested != nullptr ? tolerance : tolerance / 10;
  Replay replay;
  double seconds = 0;
  check.repeat([&](int repetition) {
    if (replay.rehearsed()) return replay.step(*solver, repetition);
    const auto begin = std::chrono::steady_clock::now();
    replay.rehearse(*solver, most, enough);
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  });
  check.prove(validity::repeat, check.max_over_ranks(replay.deviation()));

  // A whole solve once more, whose solution is proved by the plain operator.
  replay.solve(*solver);
  Field x = make_field(h.geometry()), r = make_field(h.geometry());
  solver->solution(x);
  const double residual = residual_of(check.comm(), h, source, x, r) / std::sqrt(check.sum_over_ranks(norm2(source)));
  record(check, nested, inner.get());
  check.prove(validity::residual, solver->residual_error(0, residual), rounding, "double precision");
  check.prove(validity::solution, residual, tolerance,
              "NOT converged within " + std::to_string(most) +
                  " iterations where this fails: kappa may be critical, or --tolerance below rounding");
  check.value("time_to_solution", "s", check.max_over_ranks(seconds));
  check.value("iterations", "1", replay.iterations());
  check.value("residual", "1", residual);
  check.value("solution_norm", "1", std::sqrt(check.sum_over_ranks(norm2(x))));
  if (parameters.flag("correlator")) record_pion(check, h, *solver, source_site(parameters, h.geometry()));
  check.table(history_table("history", "|r| / |b|", replay.residuals()));
}

}  // namespace tenken::lqcd_dd
