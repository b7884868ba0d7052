#include "hops.hpp"

#include <cmath>

#include "qcd/gauge/start.hpp"
#include "qcd/launch/even_odd.hpp"
#include "qcd/vectors.hpp"
#include "this_check.hpp"

namespace tenken::lqcd_operator {

namespace section = this_check::section;
namespace validity = this_check::validity;
using namespace qcd;

namespace {

// A hop makes a field up to eight times longer: after this many repetitions it is far below overflow even in single
// precision.
constexpr int before_rewind = 5;
constexpr int proving_iterations = 10;
constexpr double single_rounding = 1e-6, double_rounding = 1e-12;

// Nothing of the solver is of interest but its residual.
constexpr Leaf part = section::proof_solve;
constexpr SolverSections proving{.solve = section::proof,
                                 .hop = part,
                                 .pack = part,
                                 .communication = part,
                                 .wait = part,
                                 .unpack = part,
                                 .update = part,
                                 .axpy = part,
                                 .dot = part,
                                 .norm = part,
                                 .reduction = part};

}  // namespace

void time_hops(Check& check, Wilson& h, const ExtendedLinks& links, const Field& source) {
  const bool single = check.parameters().text("precision") == "single";
  const auto solver = proved_even_odd(check, h, links, std::span(&source, 1), single, proving);
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
    solver->hops(section::constant, false);
    solver->hops(section::dependent, true);
  });
  check.prove(validity::repeat, check.max_over_ranks(deviation));

  // The same operator in a few iterations of the solver, against the plain one.
  solver->start();
  for (int n = 0; n < proving_iterations; ++n) solver->step();
  Field x = make_field(h.geometry()), r = make_field(h.geometry());
  solver->solution(x);
  const double residual = residual_of(check.comm(), h, source, x, r) / std::sqrt(check.sum_over_ranks(norm2(source)));
  check.prove(validity::residual, solver->residual_error(0, residual), single ? single_rounding : double_rounding,
              single ? "single precision" : "double precision");
}

}  // namespace tenken::lqcd_operator
