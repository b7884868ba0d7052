#include <doctest/doctest.h>

#include <cmath>

#include "measure/open_sections.hpp"
#include "qcd/gauge/every_grid.hpp"
#include "qcd/gauge/start.hpp"
#include "qcd/lanes/even_odd.hpp"
#include "qcd/vectors.hpp"
#include "qcd/work.hpp"
#include "this_check.hpp"

using namespace tenken;
using namespace tenken::qcd;
using namespace tenken::qcd::every_grid;

namespace {

constexpr double kappa = 0.13;
constexpr Configuration hot{Start::hot, 0, 7};
constexpr Index4 shape{8, 4, 4, 8};

double global_norm2(const Field& x) {
  double sum = norm2(x);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

// |(psi - D psi) / kappa|^2 of as many such steps from the even part of psi, by the plain operator.
double plain_norm2(Wilson& h, const Field& psi, int steps) {
  const Geometry& g = h.geometry();
  Field x = make_field(g), hx = make_field(g), dx = make_field(g);
  copy(psi, x);
  for (int site = 0; site < g.sites; ++site) {
    const Index4 at = g.global(site);
    if ((at[0] + at[1] + at[2] + at[3]) % 2 != 0) x[site] = {};
  }
  for (int n = 0; n < steps; ++n) {
    h.apply(hx, x);
    gamma_5(hx, dx);
    axpy(-1, x, dx);  // D x - x = -kappa x the hops
    copy(dx, x);
  }
  return global_norm2(x) / std::pow(kappa, 2 * steps);
}

}  // namespace

TEST_CASE("dependent hops are powers of the plain hopping term, from the source on after each rewind") {
  OpenSections open(this_check::table);
  const Geometry g(shape, choose_grid(shape, world_ranks()), world_rank());
  const Links links = make_links(g, hot);
  const ExtendedLinks around(MPI_COMM_WORLD, g, links);
  Wilson h(MPI_COMM_WORLD, g, links, kappa);
  Field source = make_field(g);
  fill_random(g, 3, Purpose::source, source);
  for (const bool single : {false, true}) {
    for (const char* const stored : {"18", "12"}) {
      const auto solver = make_even_odd(MPI_COMM_WORLD, g, around, kappa, source,
                                        {.mixed = single, .links = stored, .storage = "twice"});
      solver->rewind();
      for (int timed = 1; timed <= 2; ++timed) {
        solver->hops(this_check::section::constant, false);  // changes nothing of the dependent ones
        solver->hops(this_check::section::dependent, true);
        const double expected = plain_norm2(h, source, timed * LaneSolver::hops_timed);
        CHECK(solver->dependent_norm() == doctest::Approx(expected).epsilon(single ? 1e-5 : 1e-12));
      }
      const double far = solver->dependent_norm();
      solver->rewind();
      solver->hops(this_check::section::dependent, true);
      CHECK(solver->dependent_norm() < far);
    }
  }
}

TEST_CASE("the work of hops is that of half of the sites each, and says its precision") {
  const Geometry g(shape, choose_grid(shape, world_ranks()), world_rank());
  const Links links = make_links(g, hot);
  const ExtendedLinks around(MPI_COMM_WORLD, g, links);
  Field source = make_field(g);
  fill_random(g, 3, Purpose::source, source);
  for (const bool single : {false, true}) {
    OpenSections open(this_check::table);
    const auto solver =
        make_even_odd(MPI_COMM_WORLD, g, around, kappa, source, {.mixed = single, .links = "18", .storage = "twice"});
    solver->rewind();
    solver->hops(this_check::section::constant, false);
    const std::int64_t sites = LaneSolver::hops_timed * g.sites / 2;
    CHECK(open.work().flop == sites * hop_flop);
    CHECK(open.work().bytes_read + open.work().bytes_written == sites * (8 * 18 + 2 * 24) * (single ? 4 : 8));
    CHECK(open.single(this_check::section::constant) == single);
    CHECK_FALSE(open.single(this_check::section::dependent));
  }
}
