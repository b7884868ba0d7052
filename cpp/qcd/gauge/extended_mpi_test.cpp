#include <doctest/doctest.h>

#include <cstring>

#include "qcd/gauge/averages.hpp"
#include "qcd/gauge/every_grid.hpp"
#include "qcd/gauge/extended.hpp"
#include "qcd/gauge/start.hpp"
#include "qcd/gauge/su3.hpp"

using namespace tenken;
using namespace tenken::qcd;

namespace {

constexpr Configuration hot{Start::hot, 0, 7};

bool same(const Link& a, const Link& b) { return std::memcmp(&a, &b, sizeof(Link)) == 0; }

// Every site of the block and its halo.
template <class Visit>
void for_each_site(const Geometry& g, Visit visit) {
  Index4 extents = g.block.extents();
  for (int& extent : extents) extent += 2;
  for (std::int64_t n = 0; n < product(extents); ++n) {
    Index4 x = coordinates(n, extents);
    for (int& xd : x) --xd;
    visit(x);
  }
}

// The same site in the lattice.
Index4 wrapped(const Geometry& g, Index4 x) {
  for (int d = 0; d < dimensions; ++d) {
    const int extent = g.block.lattice()[d];
    x[d] = (x[d] + g.block.offset()[d] + extent) % extent;
  }
  return x;
}

Link expected(const Geometry& g, const Index4& x, int mu) { return hot.link(g.position_of(wrapped(g, x)), mu); }

}  // namespace

TEST_CASE("the halo holds the links of the neighbours, corners included, in every grid") {
  const Index4 lattice{4, 6, 2, 3};
  for (const Index4& grid : every_grid::grids_of(lattice)) {
    const Geometry g(lattice, grid, every_grid::world_rank());
    const ExtendedLinks u(MPI_COMM_WORLD, g, make_links(g, hot));
    int wrong = 0;
    for_each_site(g, [&](const Index4& x) {
      for (int mu = 0; mu < directions; ++mu) {
        wrong += !same(u.at(x, mu), expected(g, x, mu));
        wrong += !same(u.around(wrapped(g, x), mu), expected(g, x, mu));
      }
    });
    CHECK(wrong == 0);
    Links copy(static_cast<std::size_t>(g.sites) * directions, Pages::any, "a copy");
    u.copy_to(copy);
    const Links links = make_links(g, hot);
    CHECK(std::memcmp(copy.data(), links.data(), copy.size() * sizeof(Link)) == 0);
  }
}

TEST_CASE("an exchange of one direction and parity moves these links and no others") {
  const Index4 lattice{4, 6, 2, 4};
  for (const Index4& grid : every_grid::grids_of(lattice)) {
    const Geometry g(lattice, grid, every_grid::world_rank());
    for (int mu = 0; mu < directions; ++mu) {
      for (const int parity : {0, 1}) {
        ExtendedLinks u(MPI_COMM_WORLD, g, make_links(g, hot));
        const Link other = rotation(3, 5);
        for (int site = 0; site < g.sites; ++site) {
          for (int nu = 0; nu < directions; ++nu) u.at(coordinates(site, g.block.extents()), nu) = other;
        }
        u.exchange(mu, parity);
        int wrong = 0;
        for_each_site(g, [&](const Index4& x) {
          bool inside = true;
          int sum = 0;
          for (int d = 0; d < dimensions; ++d) {
            inside = inside && x[d] >= 0 && x[d] < g.block.extents()[d];
            sum += wrapped(g, x)[d];
          }
          for (int nu = 0; nu < directions; ++nu) {
            const bool moved = inside || (nu == mu && sum % 2 == parity);
            wrong += !same(u.at(x, nu), moved ? other : expected(g, x, nu));
          }
        });
        CHECK(wrong == 0);
      }
    }
  }
}

TEST_CASE("averages are the same in every grid, and those of a field whose plaquettes are known") {
  const Index4 lattice{4, 2, 2, 8};
  const Geometry whole(lattice, {1, 1, 1, 1}, 0);
  const GaugeAverages alone = gauge_averages(ExtendedLinks(MPI_COMM_SELF, whole, make_links(whole, hot)));
  // U_t(x) = (-1)^x 1 and U_y = diag(-1, -1, 1) in the slice t = 3, else 1: the planes xt are -1; tr(U_y) / 3 = -1/3 in
  // the planes yt at t = 2 and 3.
  const auto stripes = [](const Geometry& g) {
    Links links = make_links(g, {Start::cold, 0, 0});
    for (int site = 0; site < g.sites; ++site) {
      const Index4 x = g.global(site);
      if (x[0] % 2 == 1) {
        for (int a = 0; a < colours; ++a) links[directions * site + 3].at[a][a].re = -1;
      }
      if (x[3] == 3) {
        for (int a = 0; a < 2; ++a) links[directions * site + 1].at[a][a].re = -1;
      }
    }
    return links;
  };
  for (const Index4& grid : every_grid::grids_of(lattice)) {
    const Geometry g(lattice, grid, every_grid::world_rank());
    const GaugeAverages together = gauge_averages(ExtendedLinks(MPI_COMM_WORLD, g, make_links(g, hot)));
    CHECK(together.plaquette == doctest::Approx(alone.plaquette).epsilon(1e-13));
    CHECK(together.link_trace == doctest::Approx(alone.link_trace).epsilon(1e-13));
    const GaugeAverages known = gauge_averages(ExtendedLinks(MPI_COMM_WORLD, g, stripes(g)));
    CHECK(known.spatial == doctest::Approx(1));
    const double yt = (6 - 2.0 / 3) / 8;
    CHECK(known.temporal == doctest::Approx((-1 + yt + 1) / 3));
    CHECK(known.plaquette == doctest::Approx((known.spatial + known.temporal) / 2));
    CHECK(known.link_trace == doctest::Approx((1 + (7 - 1.0 / 3) / 8 + 1 + 0) / 4));
    REQUIRE(known.slices.size() == 8);
    for (int t = 0; t < 8; ++t) {
      const double yt_here = t == 2 || t == 3 ? -1.0 / 3 : 1;
      CHECK(known.slices[t].spatial == doctest::Approx(16 * 3));
      CHECK(known.slices[t].temporal == doctest::Approx(16 * (-1 + yt_here + 1)));
    }
  }
}
