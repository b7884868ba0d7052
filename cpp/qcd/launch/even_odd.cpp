#include "qcd/launch/even_odd.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "qcd/gauge/start.hpp"
#include "qcd/vectors.hpp"

namespace tenken::qcd {

namespace {

constexpr ValiditySpec same_operator{"vectors", 1e-14, "D in vectors against the plain D, |difference| / |psi|"};
constexpr double single_rounding = 1e-6;

// |D_solver psi - D psi| / |psi| on random numbers, as the field of any right-hand side.
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
    const double error = std::sqrt(check.sum_over_ranks(norm2(difference)) / check.sum_over_ranks(norm2(psi)));
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

void prove_operator(Check& check, Wilson& h, EvenOddSolver& solver) {
  const bool single = solver.real_bytes() == sizeof(float);
  ValiditySpec proof = same_operator;
  if (single) proof.tolerance = single_rounding;  // a launch by hand takes the smaller of tolerance and limit
  check.prove(proof, operator_error(check, h, solver), proof.tolerance,
              single ? "single precision" : "double precision");
}

std::unique_ptr<LaneSolver> proved_even_odd(Check& check, Wilson& h, const ExtendedLinks& links,
                                            std::span<const Field> sources, bool single,
                                            const SolverSections& sections) {
  const Parameters& parameters = check.parameters();
  const std::string& bytes = parameters.text("vector_bytes");
  auto solver = make_even_odd(check.comm(), h.geometry(), links, h.kappa(), sources,
                              {.mixed = single,
                               .links = stored(check, links),
                               .storage = parameters.text("storage"),
                               .cache = check.cache_share(),
                               .overlap = parameters.text("overlap") == "on",
                               .barrier = parameters.text("barrier") == "on",
                               .no_swaps = check.fault("lane_swap") && check.rank() == 0,
                               .sections = sections,
                               .vector_bytes = bytes == "build" ? vector_bytes : std::stoi(bytes)});
  if (check.fault("lane_swap") && solver->width() == 1) {
    refuse(
        "--fault lane_swap needs lanes, but no extent of a rank's block is a multiple of 4; change --lattice or "
        "--grid");
  }
  prove_operator(check, h, *solver);
  return solver;
}

void record_layout(Check& check, const EvenOddSolver& solver) {
  check.chosen("link_reals", "1", solver.link_reals());
  check.chosen("link_copies", "1", solver.link_copies());
  check.chosen("lanes", "1", solver.width());
}

}  // namespace tenken::qcd
