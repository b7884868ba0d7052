#include "lanes/run_even_odd.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "gauge/start.hpp"
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

// Only proved by even-odd solvers, so check.toml does not promise them.
constexpr ValiditySpec same_operator{"vectors", 1e-14, "D in vectors against the plain D, |difference| / |psi|"};
constexpr ValiditySpec solution{"solution", 0, "|b - D x| / |b| with the plain double precision D"};
constexpr double single_rounding = 1e-6;

double global(MPI_Comm comm, double x) {
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, comm);
  return x;
}

// gamma_5 psi: upper and lower spins change places.
Field gamma_5(const Geometry& g, const Field& psi) {
  Field out = make_field(g);
#pragma omp parallel for schedule(static)
  for (int x = 0; x < g.sites; ++x) {
    for (int s = 0; s < spins; ++s) {
      for (int c = 0; c < colours; ++c) out[x].at[(s + 2) % spins][c] = psi[x].at[s][c];
    }
  }
  return out;
}

// |D_vectors psi - D psi| / |psi| on random numbers.
double operator_error(const Check& check, Wilson& h, EvenOddSolver& solver) {
  const Geometry& g = h.geometry();
  Field psi = make_field(g), plain = make_field(g), other = make_field(g);
  fill_random(g, static_cast<std::uint64_t>(check.parameters().integer("seed")), Purpose::right, psi);
  h.apply(plain, psi);
  solver.operate(other, psi);
  const Field turned = gamma_5(g, other);
  axpy(-1, turned, plain);
  return std::sqrt(global(check.comm(), norm2(plain)) / global(check.comm(), norm2(psi)));
}

// |b - D x| / |b| by the plain operator, which shares no code with the solver.
double true_residual(const Check& check, Wilson& h, const Field& x, const Field& b) {
  Field dx = make_field(h.geometry());
  h.apply(dx, x);
  const Field turned = gamma_5(h.geometry(), b);
  axpy(-1, turned, dx);
  return std::sqrt(global(check.comm(), norm2(dx)) / global(check.comm(), norm2(b)));
}

// How links are stored. A file's links may be SU(3) to 32 bits only; two rows of these would be another gauge field, so
// that "auto" has no choice.
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

std::unique_ptr<EvenOddSolver> make(const Check& check, Wilson& h, const ExtendedLinks& links, const Field& source,
                                    bool single) {
  const Parameters& parameters = check.parameters();
  return make_even_odd(check.comm(), h.geometry(), links, h.kappa(), source,
                       {.mixed = single,
                        .links = stored(check, links),
                        .storage = parameters.text("storage"),
                        .overlap = parameters.text("overlap") == "on",
                        .barrier = parameters.text("barrier") == "on"});
}

void prove_and_describe(Check& check, Wilson& h, EvenOddSolver& solver, bool single) {
  check.prove(same_operator, operator_error(check, h, solver), single ? single_rounding : same_operator.tolerance,
              single ? "single precision" : "double precision");
  check.value("link_reals", "1", solver.link_reals());
  check.value("link_copies", "1", solver.link_copies());
  check.value("lanes", "1", solver.width());
}

}  // namespace

void time_operator(Check& check, Wilson& h, const ExtendedLinks& links, const Field& source) {
  // A hop makes a field up to eight times longer: after this many repetitions it is far below overflow even in single
  // precision.
  constexpr int before_rewind = 5;
  const bool single = check.parameters().text("precision") == "single";
  const auto solver = make(check, h, links, source, single);
  prove_and_describe(check, h, *solver, single);
  // Links, the input and the output: what one hopping term to one parity touches, twice.
  const double numbers = 4.0 * solver->link_copies() * solver->link_reals() + 2 * 24;
  check.value("working_set_bytes", "B", check.sum_over_ranks(h.geometry().sites * numbers * (single ? 4 : 8)));
  int since = 0;
  check.repeat([&](int) {
    if (since++ % before_rewind == 0) solver->rewind();
    solver->hops(false);
    solver->hops(true);
  });
}

void solve_even_odd(Check& check, Wilson& h, const ExtendedLinks& links, const Field& source) {
  const Parameters& parameters = check.parameters();
  const bool mixed = parameters.text("solver") == "mixed";
  const auto asked = static_cast<int>(parameters.integer("iterations"));
  const double tolerance = parameters.real("tolerance");
  const auto solver = make(check, h, links, source, mixed);
  prove_and_describe(check, h, *solver, mixed);

  const int most = asked > 0 ? asked : most_iterations;
  const double enough = asked > 0 ? std::max(exhausted, mixed ? tolerance : 0.0) : tolerance;
  std::vector<double> history;
  double deviation = 0;
  double seconds = 0;
  int updates = 0;
  check.repeat([&](int repetition) {
    if (history.empty()) {
      solver->start();
      const auto begin = std::chrono::steady_clock::now();
      while (solver->iteration() < most && !(solver->residual() < enough)) {
        solver->step();
        history.push_back(solver->residual());
      }
      seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      updates = solver->updates();
      return;
    }
    if (repetition <= 0 || solver->iteration() == static_cast<int>(history.size())) solver->start();
    solver->step();
    const double before = history[static_cast<std::size_t>(solver->iteration() - 1)];
    const double change = std::abs(solver->residual() - before) / before;
    if (!(change <= deviation)) deviation = change;
  });
  check.prove(validity::repeat, check.max_over_ranks(deviation));

  // A whole solve once more, whose solution is proved.
  solver->start();
  for (std::size_t i = 0; i < history.size(); ++i) solver->step();
  Field x = make_field(h.geometry());
  solver->solution(x);
  const double residual = true_residual(check, h, x, source);
  check.prove(validity::residual, std::abs(residual - solver->residual()));
  if (asked == 0) {
    check.prove(solution, residual, tolerance,
                "no convergence to --tolerance within " + std::to_string(most_iterations) +
                    " iterations where this fails: kappa may be critical");
    check.value("time_to_solution", "s", check.max_over_ranks(seconds));
  }
  check.value("iterations", "1", static_cast<double>(history.size()));
  check.value("updates", "1", updates);
  check.value("residual", "1", residual);
  record_slices(check, slices(check.comm(), h.geometry(), x));
}

}  // namespace tenken::lqcd
