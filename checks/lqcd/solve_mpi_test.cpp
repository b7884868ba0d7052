#include <doctest/doctest.h>

#include <cmath>

#include "measure/open_sections.hpp"
#include "qcd/cg.hpp"
#include "qcd/gauge/every_grid.hpp"
#include "qcd/gauge/start.hpp"
#include "qcd/lanes/even_odd.hpp"
#include "qcd/proofs.hpp"
#include "qcd/work.hpp"
#include "sections.hpp"
#include "this_check.hpp"

using namespace tenken;
using namespace tenken::qcd;
using namespace tenken::qcd::every_grid;
using lqcd::sections;

namespace {

constexpr double kappa = 0.137;
constexpr Configuration hot{Start::hot, 0, 7};

struct Fixture {
  explicit Fixture(const Index4& lattice, const Index4& grid)
      : geometry(lattice, grid, world_rank()),
        links(make_links(geometry, hot)),
        h(MPI_COMM_WORLD, geometry, links, kappa) {}
  Geometry geometry;
  Links links;
  Wilson h;
};

}  // namespace

TEST_CASE("the solver solves, goes the same way on any number of ranks, and tells its true residual") {
  OpenSections open(this_check::table);
  const Index4 lattice{4, 4, 2, 8};
  const Geometry whole(lattice, {1, 1, 1, 1}, 0);
  const Links links = make_links(whole, hot);
  Field source = make_field(whole);
  fill_point(whole, {}, source);
  Wilson h(MPI_COMM_SELF, whole, links, kappa);
  Cg alone(MPI_COMM_SELF, h, source, sections);

  Fixture f(lattice, choose_grid(lattice, world_ranks()));
  Field my_source = make_field(f.geometry);
  fill_point(f.geometry, {}, my_source);
  Cg together(MPI_COMM_WORLD, f.h, my_source, sections);
  alone.start();
  together.start();
  for (int n = 1; together.residual() > Cg::converged; ++n) {
    REQUIRE(n < 200);
    alone.step();
    together.step();
    CHECK(together.residual() == doctest::Approx(alone.residual()).epsilon(1e-10));
  }
  CHECK(together.iteration() == alone.iteration());
  const auto some = slices(MPI_COMM_WORLD, f.geometry, together.x());
  const auto all = slices(MPI_COMM_SELF, whole, alone.x());
  for (std::size_t t = 0; t < all.size(); ++t) CHECK(some[t] == doctest::Approx(all[t]).epsilon(1e-10));
  CHECK(together.residual_error() < 1e-14);

  // H^2 x = b to the accuracy of the stop, by one more application without the solver.
  Field hx = make_field(whole), hhx = make_field(whole);
  h.apply(hx, alone.x());
  h.apply(hhx, hx);
  axpy(-1, source, hhx);
  CHECK(std::sqrt(norm2(hhx) / norm2(source)) < 2 * std::sqrt(Cg::converged));
}

TEST_CASE("an iteration has the work of two operators, three updates and two sums, in its precision") {
  const Index4 lattice{8, 4, 4, 8};
  Fixture f(lattice, choose_grid(lattice, world_ranks()));
  Field source = make_field(f.geometry);
  fill_random(f.geometry, 1, Purpose::source, source);
  {
    OpenSections open(this_check::table);
    Cg cg(MPI_COMM_WORLD, f.h, source, sections);
    cg.start();
    cg.step();
    CHECK(open.work().flop == f.geometry.sites * (2 * operator_flop + 5 * vector_flop));
    CHECK_FALSE(open.single(sections.hop));
  }
  const ExtendedLinks links(MPI_COMM_WORLD, f.geometry, f.links);
  for (const bool mixed : {false, true}) {
    OpenSections open(this_check::table);
    const auto solver = make_even_odd(MPI_COMM_WORLD, f.geometry, links, kappa, source,
                                      {.mixed = mixed, .links = "18", .storage = "twice", .sections = sections});
    solver->start();
    solver->step();
    // Of half of the sites: two hops and psi - kappa^2 x hops twice, three updates, three norms.
    const std::int64_t half = f.geometry.sites / 2;
    CHECK(open.work().flop == half * (2 * hop_flop + 2 * operator_flop + 6 * vector_flop));
    for (const Leaf part : {sections.hop, sections.axpy, sections.norm}) CHECK(open.single(part) == mixed);
    CHECK_FALSE(open.single(sections.reduction));
  }
}
