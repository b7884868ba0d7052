#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "cg.hpp"
#include "gauge/averages.hpp"
#include "gauge/every_grid.hpp"
#include "measure/check.hpp"
#include "proofs.hpp"
#include "this_check.hpp"
#include "wilson.hpp"
#include "work.hpp"

using namespace tenken;
using namespace tenken::lqcd;
using namespace tenken::lqcd::every_grid;
namespace validity = this_check::validity;

namespace {

constexpr double kappa = 0.137;
constexpr Configuration hot{Start::hot, 0, 7};

struct Fixture {
  explicit Fixture(const Index4& lattice, const Index4& grid, Faults faults = {})
      : geometry(lattice, grid, world_rank()),
        links(make_links(geometry, hot)),
        made(MPI_COMM_WORLD, geometry, links),
        h(MPI_COMM_WORLD, geometry, links, kappa, faults),
        subject{MPI_COMM_WORLD, geometry, hot.seed, made, links, h, faults} {}
  Geometry geometry;
  Links links;
  ExtendedLinks made;
  Wilson h;
  Subject subject;
};

}  // namespace

TEST_CASE("the operator and every proof are right in every grid, with blocks of extent one and two") {
  const Index4 lattice{4, 6, 2, 8};
  REQUIRE(!grids_of(lattice).empty());
  for (const Index4& grid : grids_of(lattice)) {
    Fixture f(lattice, grid);
    CHECK(reference_error(f.subject) < 1e-14);
    CHECK(links_error(MPI_COMM_WORLD, f.links) < 1e-12);
    CHECK(hermiticity_error(f.subject) < validity::hermiticity.tolerance);
    CHECK(covariance_error(f.subject) < validity::covariance.tolerance);
    CHECK(free_field_error(f.subject) < validity::free_field.tolerance);
    CHECK(std::abs(gauge_averages(f.made).plaquette) < 5 * hot_plaquette_deviation(lattice));
  }
}

TEST_CASE("each site's output equals that of one rank") {
  const Index4 lattice{4, 6, 2, 8};
  const Geometry whole(lattice, {1, 1, 1, 1}, 0);
  const Links links = make_links(whole, hot);
  Field in = make_field(whole), out = make_field(whole);
  fill_random(whole, 1, Purpose::source, in);
  Wilson h(MPI_COMM_SELF, whole, links, kappa);
  h.apply(out, in);
  for (const Index4& grid : grids_of(lattice)) {
    Fixture f(lattice, grid);
    Field x = make_field(f.geometry), hx = make_field(f.geometry);
    fill_random(f.geometry, 1, Purpose::source, x);
    f.h.apply(hx, x);
    double worst = 0;
    for (int site = 0; site < f.geometry.sites; ++site) {
      for (int s = 0; s < spins; ++s) {
        for (int c = 0; c < colours; ++c) {
          const auto d = hx[site].at[s][c] - out[f.geometry.global_position(site)].at[s][c];
          worst = std::max(worst, std::hypot(d.re, d.im));
        }
      }
    }
    CHECK(worst < 1e-14);
  }
}

TEST_CASE("a wrong link, a swapped gamma sign and a lost face fail a proof") {
  const Index4 lattice{4, 4, 4, 8};
  const Index4 grid = choose_grid(lattice, world_ranks());
  SUBCASE("link") {
    Fixture f(lattice, grid);
    if (world_rank() == world_ranks() - 1) {
      for (auto& row : f.links[1].at) {
        for (auto& a : row) a = -1.0 * a;
      }
    }
    CHECK(links_error(MPI_COMM_WORLD, f.links) > 1);
    CHECK(reference_error(f.subject) > 1e-3);
  }
  SUBCASE("gamma") {
    Fixture f(lattice, grid, {.gamma = Gamma::swapped});
    CHECK(reference_error(f.subject) > 1e-3);
    CHECK(free_field_error(f.subject) > 1e-3);
  }
  SUBCASE("face") {
    Fixture f(lattice, grid, {.zero_halo_face = world_rank() == 0});
    const bool lost = world_ranks() > 1;
    CHECK((reference_error(f.subject) > 1e-3) == lost);
    CHECK((free_field_error(f.subject) > 1e-3) == lost);
    CHECK((hermiticity_error(f.subject) > 1e-8) == lost);
  }
}

TEST_CASE("the work of packing, interior and boundary is that of all sites") {
  const Index4 lattice{4, 6, 2, 8};
  for (const Index4& grid : grids_of(lattice)) {
    const Geometry g(lattice, grid, world_rank());
    CHECK(pack_work(g).flop + interior_work(g).flop + boundary_work(g).flop == operator_flop * g.sites);
    CHECK(interior_work(g).flop + boundary_work(g).flop > 0);
    const Links links = make_links(g, hot);
    const Wilson h(MPI_COMM_WORLD, g, links, kappa);
    CHECK(exchange_work(g).bytes_written == h.halo().bytes());
    CHECK(exchange_work(g).messages == h.halo().messages());
  }
}

TEST_CASE("the solver solves, goes the same way on any number of ranks, and tells its true residual") {
  const char* arguments[] = {"lqcd"};
  Check check(this_check::table, 1, const_cast<char**>(arguments));  // sections need one
  const Index4 lattice{4, 4, 2, 8};
  const Geometry whole(lattice, {1, 1, 1, 1}, 0);
  const Links links = make_links(whole, hot);
  Field source = make_field(whole);
  fill_point(whole, {}, source);
  Wilson h(MPI_COMM_SELF, whole, links, kappa);
  Cg alone(MPI_COMM_SELF, h, source);

  Fixture f(lattice, choose_grid(lattice, world_ranks()));
  Field my_source = make_field(f.geometry);
  fill_point(f.geometry, {}, my_source);
  Cg together(MPI_COMM_WORLD, f.h, my_source);
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
