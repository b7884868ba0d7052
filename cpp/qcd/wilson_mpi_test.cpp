#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "qcd/gauge/averages.hpp"
#include "qcd/gauge/every_grid.hpp"
#include "qcd/proofs.hpp"
#include "qcd/wilson.hpp"
#include "qcd/work.hpp"

using namespace tenken;
using namespace tenken::qcd;
using namespace tenken::qcd::every_grid;

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
    CHECK(hermiticity_error(f.subject) < 1e-12);
    CHECK(covariance_error(f.subject) < 1e-13);
    CHECK(free_field_error(f.subject) < 1e-12);
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
