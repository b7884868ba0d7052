#include "lanes/run_even_odd.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "gauge/start.hpp"
#include "numerics/replay.hpp"
#include "proofs.hpp"
#include "run.hpp"
#include "this_check.hpp"
#include "vectors.hpp"

namespace tenken::lqcd {

namespace {

namespace validity = this_check::validity;

constexpr int most_iterations = 5000;
// Of |b - D x| / |b|: below it, single or double precision alike iterate on rounding errors.
constexpr double exhausted = 1e-14;

// Only proved by even-odd solvers.
constexpr ValiditySpec same_operator{"vectors", 1e-14, "D in vectors against the plain D, |difference| / |psi|"};
constexpr ValiditySpec solution{"solution", 0, "|b - D x| / |b| with the plain double precision D"};
constexpr double single_rounding = 1e-6, double_rounding = 1e-12;

double global(MPI_Comm comm, double x) {
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, comm);
  return x;
}

// |D_vectors psi - D psi| / |psi| on random numbers, as the field of any right-hand side.
double operator_error(const Check& check, Wilson& h, EvenOddSolver& solver) {
  const Geometry& g = h.geometry();
  Field psi = make_field(g), plain = make_field(g), other = make_field(g);
  fill_random(g, static_cast<std::uint64_t>(check.parameters().integer("seed")), Purpose::right, psi);
  h.apply(plain, psi);
  Field turned = make_field(g), difference = make_field(g);
  double worst = 0;
  for (int k = 0; k < solver.sources(); ++k) {
    solver.operate(k, other, psi);
    gamma_5(other, turned);
    copy(plain, difference);
    axpy(-1, turned, difference);
    const double error = std::sqrt(global(check.comm(), norm2(difference)) / global(check.comm(), norm2(psi)));
    if (!(error <= worst)) worst = error;
  }
  return worst;
}

// How links are stored. A file's links may be SU(3) to 32 bits only; two rows of these would be another gauge field, so
// that "auto" has no choice; nor where the sign of a boundary is in them.
std::string stored(const Check& check, const ExtendedLinks& links) {
  const std::string& asked = check.parameters().text("links");
  if (asked != "auto") return asked;
  constexpr double rounding = 1e-14;
  const Geometry& g = links.geometry();
  double worst = 0;
  for (int site = 0; site < g.sites; ++site) {
    const Index4 x = coordinates(site, g.block.extents());
    for (int mu = 0; mu < directions; ++mu) worst = std::max(worst, third_row_error(links.at(x, mu)));
  }
  return check.max_over_ranks(worst) <= rounding ? asked : "18";
}

}  // namespace

std::unique_ptr<EvenOddSolver> proved_even_odd(Check& check, Wilson& h, const ExtendedLinks& links,
                                               std::span<const Field> sources) {
  const Parameters& parameters = check.parameters();
  const std::string& kind = parameters.text("solver");
  const bool single = kind == "operator" ? parameters.text("precision") == "single" : kind == "mixed";
  const std::string& bytes = parameters.text("vector_bytes");
  auto solver = make_even_odd(check.comm(), h.geometry(), links, h.kappa(), sources,
                              {.mixed = single,
                               .links = stored(check, links),
                               .storage = parameters.text("storage"),
                               .overlap = parameters.text("overlap") == "on",
                               .barrier = parameters.text("barrier") == "on",
                               .no_swaps = check.fault("lane_swap") && check.rank() == 0,
                               .vector_bytes = bytes == "build" ? vector_bytes : std::stoi(bytes)});
  if (check.fault("lane_swap") && solver->width() == 1) {
    refuse(
        "--fault lane_swap needs lanes, but no extent of a rank's block is a multiple of 4; change --lattice or "
        "--grid");
  }
  check.prove(same_operator, operator_error(check, h, *solver), single ? single_rounding : same_operator.tolerance,
              single ? "single precision" : "double precision");
  return solver;
}

void record_layout(Check& check, const EvenOddSolver& solver) {
  check.value("link_reals", "1", solver.link_reals());
  check.value("link_copies", "1", solver.link_copies());
  check.value("lanes", "1", solver.width());
}

void time_operator(Check& check, Wilson& h, const ExtendedLinks& links, const Field& source) {
  // A hop makes a field up to eight times longer: after this many repetitions it is far below overflow even in single
  // precision.
  constexpr int before_rewind = 5;
  const auto solver = proved_even_odd(check, h, links, std::span(&source, 1));
  record_layout(check, *solver);
  // Links, the input and the output: what one hopping term to one parity touches, twice.
  const double numbers = 4.0 * solver->link_copies() * solver->link_reals() + 2 * 24;
  check.value("working_set_bytes", "B", check.sum_over_ranks(h.geometry().sites * numbers * solver->real_bytes()));
  int since = 0;
  double first = 0, deviation = 0;
  check.repeat([&](int) {
    if (since == before_rewind) {
      const double norm = solver->dependent_norm();
      if (first == 0) first = norm;
      const double change = std::abs(norm - first) / first;
      if (!(change <= deviation)) deviation = change;
      since = 0;
    }
    if (since++ == 0) solver->rewind();
    solver->hops(false);
    solver->hops(true);
  });
  check.prove(validity::repeat, check.max_over_ranks(deviation));

  // The same operator in a few iterations of the solver, against the plain one.
  constexpr int iterations = 10;
  solver->start();
  for (int n = 0; n < iterations; ++n) solver->step();
  Field x = make_field(h.geometry()), r = make_field(h.geometry());
  solver->solution(x);
  const double residual = residual_of(check.comm(), h, source, x, r) / std::sqrt(global(check.comm(), norm2(source)));
  const bool single = solver->real_bytes() == sizeof(float);
  check.prove(validity::residual, solver->residual_error(0, residual), single ? single_rounding : double_rounding,
              single ? "single precision" : "double precision");
}

void solve_even_odd(Check& check, Wilson& h, const ExtendedLinks& links, const Field& source) {
  const Parameters& parameters = check.parameters();
  const bool mixed = parameters.text("solver") == "mixed";
  const auto asked = static_cast<int>(parameters.integer("iterations"));
  const double tolerance = parameters.real("tolerance");
  const auto solver = proved_even_odd(check, h, links, std::span(&source, 1));
  const int most = asked > 0 ? asked : most_iterations;
  const double enough = asked > 0 ? std::max(exhausted, mixed ? tolerance : 0.0) : tolerance;
  Replay replay;
  double seconds = 0;
  int updates = 0;
  check.repeat([&](int repetition) {
    if (replay.rehearsed()) return replay.step(*solver, repetition);
    const auto begin = std::chrono::steady_clock::now();
    replay.rehearse(*solver, most, enough);
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    updates = solver->updates();
  });
  check.prove(validity::repeat, check.max_over_ranks(replay.deviation()));

  // A whole solve once more, whose solution is proved by the plain operator, which shares no code with the solver.
  replay.solve(*solver);
  Field x = make_field(h.geometry()), r = make_field(h.geometry());
  solver->solution(x);
  const double residual = residual_of(check.comm(), h, source, x, r) / std::sqrt(global(check.comm(), norm2(source)));
  check.prove(validity::residual, solver->residual_error(0, residual), double_rounding, "double precision");
  if (asked == 0) {
    check.prove(solution, residual, tolerance,
                "no convergence to --tolerance within " + std::to_string(most_iterations) +
                    " iterations where this fails: kappa may be critical, or --tolerance below rounding");
    check.value("time_to_solution", "s", check.max_over_ranks(seconds));
  }
  check.value("iterations", "1", replay.iterations());
  check.value("updates", "1", updates);
  check.value("residual", "1", residual);
  record_layout(check, *solver);
  record_slices(check, slices(check.comm(), h.geometry(), x));
}

}  // namespace tenken::lqcd
