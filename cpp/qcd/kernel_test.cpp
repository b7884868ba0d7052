#include "qcd/kernel.hpp"

#include <doctest/doctest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "qcd/gauge/start.hpp"
#include "qcd/ref.hpp"
#include "qcd/vectors.hpp"

using namespace tenken;
using namespace tenken::qcd;

namespace {

constexpr double kappa = 0.137;
constexpr Configuration hot{Start::hot, 0, 7};

// Largest difference between the kernel on one rank and the reference, over all components.
double error_on(const Index4& lattice, Gamma gamma = Gamma::right) {
  const Geometry g(lattice, {1, 1, 1, 1}, 0);
  const Links links = make_links(g, hot);
  Field in = make_field(g), out = make_field(g);
  fill_random(g, hot.seed, Purpose::source, in);
  apply_sites(g, gamma, links, kappa, g.interior, {}, out, in);
  const LinkAt link = [&](const Index4& x, int mu) { return links[directions * position(x, lattice) + mu]; };
  const SpinorAt psi = [&](const Index4& x) { return in[position(x, lattice)]; };
  double worst = 0;
  for (int site = 0; site < g.sites; ++site) {
    const Spinor expected = reference(lattice, coordinates(site, lattice), link, psi, kappa);
    for (int s = 0; s < spins; ++s) {
      for (int c = 0; c < colours; ++c) {
        const auto d = out[site].at[s][c] - expected.at[s][c];
        worst = std::max(worst, std::hypot(d.re, d.im));
      }
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("the kernel equals the reference, on lattices that are no cube and with extents of two and odd ones") {
  for (const Index4& lattice : {Index4{4, 6, 2, 8}, Index4{2, 2, 2, 2}, Index4{3, 5, 4, 2}, Index4{5, 2, 3, 7}}) {
    CHECK(error_on(lattice) < 1e-14);
  }
}

TEST_CASE("swapped gamma signs are seen") { CHECK(error_on({4, 4, 4, 4}, Gamma::swapped) > 0.1); }

TEST_CASE("the reference by hand: unit links and a point source") {
  // D of a source at the origin with spin s: at the origin the source, at x = +-mu the columns of -kappa (1 +-
  // gamma_mu).
  const Index4 lattice{4, 4, 4, 4};
  const LinkAt link = [](const Index4&, int) { return unit_link(); };
  const SpinorAt psi = [](const Index4& x) {
    Spinor at{};
    if (x == Index4{0, 0, 0, 0}) at.at[0][1] = {1, 0};
    return at;
  };
  // gamma_5 takes spin 0 to spin 2.
  CHECK(reference(lattice, {0, 0, 0, 0}, link, psi, kappa).at[2][1].re == 1);
  // At +t: -kappa (1 + gamma_t) keeps spin 0, doubled; at -t: -kappa (1 - gamma_t) removes it.
  CHECK(reference(lattice, {0, 0, 0, 1}, link, psi, kappa).at[2][1].re == doctest::Approx(-2 * kappa));
  CHECK(reference(lattice, {0, 0, 0, 3}, link, psi, kappa).at[2][1].re == 0);
  // At +x: -kappa (1 + gamma_x); gamma_x has i in row 3, column 0, and gamma_5 takes spin 3 to spin 1.
  CHECK(reference(lattice, {1, 0, 0, 0}, link, psi, kappa).at[1][1].im == doctest::Approx(-kappa));
  CHECK(reference(lattice, {3, 0, 0, 0}, link, psi, kappa).at[1][1].im == doctest::Approx(kappa));
  CHECK(reference(lattice, {1, 1, 0, 0}, link, psi, kappa).at[2][1].re == 0);
}

TEST_CASE("sums are the same for any number of threads, and right") {
  const Geometry g({4, 6, 2, 8}, {1, 1, 1, 1}, 0);
  Field x = make_field(g), y = make_field(g);
  fill_random(g, 1, Purpose::left, x);
  fill_random(g, 1, Purpose::right, y);
  double plain = 0;
  for (int site = 0; site < g.sites; ++site) {
    for (int s = 0; s < spins; ++s) {
      for (int c = 0; c < colours; ++c) {
        plain += x[site].at[s][c].re * y[site].at[s][c].re + x[site].at[s][c].im * y[site].at[s][c].im;
      }
    }
  }
  const int threads = omp_get_max_threads();
  const double one = dot(x, y);
  CHECK(one == doctest::Approx(plain).epsilon(1e-12));
  for (const int n : {1, 2, 3, 5}) {
    omp_set_num_threads(n);
    CHECK(dot(x, y) == one);
  }
  omp_set_num_threads(threads);
}

TEST_CASE("an extent of one is refused") {
  CHECK_THROWS_WITH_AS(Geometry({4, 1, 4, 4}, {1, 1, 1, 1}, 0), "--lattice has extent 1 in y; 2 or more is needed",
                       UserError);
}
