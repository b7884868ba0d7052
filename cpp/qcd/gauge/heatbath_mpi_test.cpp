#include <doctest/doctest.h>
#include <omp.h>

#include <cmath>
#include <cstring>

#include "base/error.hpp"
#include "qcd/gauge/averages.hpp"
#include "qcd/gauge/every_grid.hpp"
#include "qcd/gauge/heatbath.hpp"
#include "qcd/gauge/start.hpp"
#include "qcd/gauge/su3.hpp"
#include "qcd/proofs.hpp"

using namespace tenken;
using namespace tenken::qcd;

namespace {

constexpr Configuration hot{Start::hot, 0, 7};
constexpr Configuration cold{Start::cold, 0, 0};

// A lattice of one rank. All that is true of it is true on any grid, whose links have the same bits: shown first.
struct Alone {
  Alone(const Index4& lattice, const Configuration& start)
      : geometry(lattice, {1, 1, 1, 1}, 0), links(MPI_COMM_SELF, geometry, make_links(geometry, start)) {}
  Geometry geometry;
  ExtendedLinks links;
};

double action(const ExtendedLinks& links) { return gauge_averages(links).plaquette; }

}  // namespace

TEST_CASE("the field is the same bit for bit on any grid and number of threads") {
  const Index4 lattice{4, 6, 2, 4};
  Alone one(lattice, hot);
  HeatBath(one.links, 5.7, 3).sweep(2);
  const auto same_as_one = [&](const Geometry& g, const ExtendedLinks& links) {
    Links mine(static_cast<std::size_t>(g.sites) * directions, Pages::any, "links");
    links.copy_to(mine);
    int wrong = 0;
    for (int site = 0; site < g.sites; ++site) {
      const Index4 x = g.global(site);
      wrong += std::memcmp(&one.links.at(x, 0), &mine[directions * site], directions * sizeof(Link)) != 0;
    }
    return wrong == 0;
  };
  for (const Index4& grid : every_grid::grids_of(lattice)) {
    const Geometry g(lattice, grid, every_grid::world_rank());
    ExtendedLinks links(MPI_COMM_WORLD, g, make_links(g, hot));
    HeatBath(links, 5.7, 3).sweep(2);
    CHECK(same_as_one(g, links));
  }
  Alone threaded(lattice, hot);
  const int threads = omp_get_max_threads();
  omp_set_num_threads(3);
  HeatBath(threaded.links, 5.7, 3).sweep(2);
  omp_set_num_threads(threads);
  CHECK(same_as_one(threaded.geometry, threaded.links));
  Alone other(lattice, hot);
  HeatBath(other.links, 5.7, 4).sweep(2);
  CHECK(!same_as_one(other.geometry, other.links));
}

TEST_CASE("staples complete plaquettes: each is counted with each of its four links") {
  if (!every_grid::one_rank()) return;
  Alone a({4, 2, 6, 2}, hot);
  double sum = 0;
  for (int site = 0; site < a.geometry.sites; ++site) {
    const Index4 x = a.geometry.global(site);
    for (int mu = 0; mu < directions; ++mu) sum += trace(a.links.at(x, mu) * staples(a.links, x, mu)).re;
  }
  CHECK(sum / (4 * 18.0 * a.geometry.sites) == doctest::Approx(action(a.links)).epsilon(1e-13));
}

TEST_CASE("over-relaxation changes the links, and the action by rounding alone") {
  if (!every_grid::one_rank()) return;
  Alone a({4, 4, 4, 4}, hot);
  HeatBath bath(a.links, 6.0, 1);
  for (int n = 0; n < 5; ++n) bath.heat();
  const double before = action(a.links);
  const Link link = a.links.at({1, 2, 3, 0}, 2);
  for (int n = 0; n < 10; ++n) bath.relax();
  CHECK(std::abs(action(a.links) - before) < 1e-13);
  CHECK(std::abs(trace(link * adjoint(a.links.at({1, 2, 3, 0}, 2))).re - 3) > 0.1);
}

TEST_CASE("links stay in SU(3), and the halo is that of the neighbours") {
  if (!every_grid::one_rank()) return;
  Alone a({4, 4, 4, 4}, hot);
  HeatBath(a.links, 6.0, 1).sweep(4);
  for (int site = 0; site < a.geometry.sites; ++site) {
    for (int mu = 0; mu < directions; ++mu) {
      const Link& u = a.links.at(a.geometry.global(site), mu);
      CHECK(std::max(unitarity_error(u), determinant_error(u)) < 1e-14);
    }
  }
  const double held = action(a.links);
  a.links.exchange();
  CHECK(action(a.links) == held);
}

TEST_CASE("the action of a field does not depend on the gauge") {
  if (!every_grid::one_rank()) return;
  Alone a({4, 4, 2, 4}, hot);
  HeatBath(a.links, 5.7, 1).sweep(1);
  Links turned(static_cast<std::size_t>(a.geometry.sites) * directions, Pages::any, "turned links");
  for (int site = 0; site < a.geometry.sites; ++site) {
    const Index4 x = a.geometry.global(site);
    for (int mu = 0; mu < directions; ++mu) {
      const Link ahead = rotation(5, a.geometry.position_of(moved(a.geometry.block.lattice(), x, mu, +1)));
      turned[directions * site + mu] = rotation(5, site) * a.links.at(x, mu) * adjoint(ahead);
    }
  }
  const ExtendedLinks other(MPI_COMM_SELF, a.geometry, turned);
  CHECK(action(other) == doctest::Approx(action(a.links)).epsilon(1e-13));
  CHECK(std::abs(gauge_averages(other).link_trace - gauge_averages(a.links).link_trace) > 1e-3);
}

TEST_CASE("without coupling the heat bath makes links of the Haar measure from unit ones") {
  if (!every_grid::one_rank()) return;
  Alone a({8, 4, 4, 4}, cold);
  HeatBath bath(a.links, 0, 1);
  for (int n = 0; n < 10; ++n) bath.heat();
  Complex<double> first{};
  double second = 0;
  const double n = 4.0 * a.geometry.sites;
  for (int site = 0; site < a.geometry.sites; ++site) {
    for (int mu = 0; mu < directions; ++mu) {
      const Complex<double> tr = trace(a.links.at(a.geometry.global(site), mu));
      first = first + tr;
      second += tr.re * tr.re + tr.im * tr.im;
    }
  }
  // <tr U> = 0, <|tr U|^2> = 1, <|tr U|^4> = 2.
  CHECK(std::hypot(first.re, first.im) / n < 5 / std::sqrt(n));
  CHECK(std::abs(second / n - 1) < 5 / std::sqrt(n));
}

TEST_CASE("at strong coupling the plaquette has its expansion") {
  if (!every_grid::one_rank()) return;
  // <Re tr P> / 3 = beta / 18 + beta^2 / 216 - 5 beta^4 / 93312 + ... (J.-M. Drouffe, J.-B. Zuber, Phys. Rep. 102
  // (1983) 1).
  constexpr double expected = 1.0 / 18 + 1.0 / 216 - 5.0 / 93312;
  const Index4 lattice{4, 4, 4, 4};
  const Geometry g(lattice, choose_grid(lattice, every_grid::world_ranks()), every_grid::world_rank());
  ExtendedLinks links(MPI_COMM_WORLD, g, make_links(g, hot));
  HeatBath bath(links, 1.0, 2);
  for (int n = 0; n < 10; ++n) bath.sweep(0);
  double sum = 0;
  constexpr int measurements = 200;
  for (int n = 0; n < measurements; ++n) {
    bath.sweep(1);
    sum += action(links) / measurements;
  }
  // A hundredth for the next orders, and 4 deviations: without coupling one measurement has the variance 1/(18 x 6 V).
  CHECK(std::abs(sum - expected) < 0.01 * expected + 4 * hot_plaquette_deviation(lattice) / std::sqrt(measurements));
}

TEST_CASE("links drawn last obey their equation for the right coupling, from any start, and not for a wrong one") {
  if (!every_grid::one_rank()) return;
  for (const double beta : {0.0, 1.0, 6.0, 30.0}) {
    Alone a({8, 8, 4, 4}, hot);
    HeatBath bath(a.links, beta, 5);
    bath.sweep(1);
    const LastPlaquettes last = last_plaquettes(a.links, beta);
    CAPTURE(beta);
    CHECK(std::abs(last.plaquette - last.expected) < 5 * last.deviation);
    const LastPlaquettes wrong = last_plaquettes(a.links, 1.5 * beta + 1);
    CHECK(std::abs(wrong.plaquette - wrong.expected) > 5 * wrong.deviation);
  }
}

TEST_CASE("an odd lattice is refused") {
  if (!every_grid::one_rank()) return;
  Alone a({4, 3, 4, 4}, cold);
  CHECK_THROWS_WITH_AS(HeatBath(a.links, 1, 1), doctest::Contains("extent 3 in y"), UserError);
}
