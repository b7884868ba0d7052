#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "qcd/boundary.hpp"
#include "qcd/clover.hpp"
#include "qcd/clover_ref.hpp"
#include "qcd/gauge/every_grid.hpp"
#include "qcd/gauge/start.hpp"
#include "qcd/gauge/su3.hpp"
#include "qcd/proofs.hpp"

using namespace tenken;
using namespace tenken::qcd;
using namespace tenken::qcd::every_grid;

namespace {

constexpr double kappa = 0.137, csw = 1.769;
constexpr Configuration hot{Start::hot, 0, 7};
using C = std::complex<double>;

struct Fixture {
  Fixture(const Index4& lattice, const Index4& grid, const Configuration& configuration = hot)
      : geometry(lattice, grid, world_rank()),
        links(make_links(geometry, configuration)),
        around(MPI_COMM_WORLD, geometry, links) {}
  LinkAt link() const {
    return [this](const Index4& x, int mu) { return around.around(x, mu); };
  }
  SiteMatrix reference(int site) const {
    return clover_reference(geometry.block.lattice(), geometry.global(site), link(), kappa, csw);
  }
  Geometry geometry;
  Links links;
  ExtendedLinks around;
};

// The packed term with its 1, or an inverse without, as a full matrix: column by column.
SiteMatrix full(const CloverSite& site, double one) {
  SiteMatrix m{};
  for (int column = 0; column < site_size; ++column) {
    Spinor unit{};
    unit.at[column / colours][column % colours] = {1, 0};
    const Spinor image = clover_times(site, unit);
    for (int row = 0; row < site_size; ++row) {
      const auto& a = image.at[row / colours][row % colours];
      m[row][column] = C(a.re, a.im) + (row == column ? one : 0.0);
    }
  }
  return m;
}

double difference(const SiteMatrix& a, const SiteMatrix& b) {
  double worst = 0;
  for (int r = 0; r < site_size; ++r) {
    for (int c = 0; c < site_size; ++c) worst = std::max(worst, std::abs(a[r][c] - b[r][c]));
  }
  return worst;
}

template <class Set>
Links links_of(const Geometry& g, Set set) {
  Links links(static_cast<std::size_t>(g.sites) * directions, Pages::any, "links");
  for (int site = 0; site < g.sites; ++site) {
    for (int mu = 0; mu < directions; ++mu) links[directions * site + mu] = set(g.global(site), mu);
  }
  return links;
}

double largest(const CloverField& term) {
  double worst = 0;
  for (const CloverSite& site : term) {
    const double* const numbers = site.block[0].diagonal;
    for (int n = 0; n < 72; ++n) worst = std::max(worst, std::abs(numbers[n]));
  }
  return worst;
}

// Odd extents; extents of 2, where two leaves coincide; those of a usual lattice.
const std::vector<Index4> lattices = {{3, 5, 2, 4}, {2, 2, 2, 2}, {4, 2, 6, 4}};

}  // namespace

TEST_CASE("the packed term is the explicit matrix at every site, in every grid, with extents of 2 and odd extents") {
  for (const Index4& lattice : lattices) {
    for (const Index4& grid : grids_of(lattice)) {
      const Fixture f(lattice, grid);
      const CloverField term = make_clover(f.around, kappa, csw);
      double worst = 0, asymmetry = 0, energy = 0;
      for (int site = 0; site < f.geometry.sites; ++site) {
        const SiteMatrix expected = f.reference(site);
        worst = std::max(worst, difference(full(term[site], 1), expected));
        energy += clover_energy_reference(lattice, f.geometry.global(site), f.link());
        for (int r = 0; r < site_size; ++r) {
          for (int c = 0; c < site_size; ++c) {
            asymmetry = std::max(asymmetry, std::abs(expected[r][c] - std::conj(expected[c][r])));
          }
        }
      }
      CHECK(worst < 1e-14);
      CHECK(asymmetry < 1e-14);
      CHECK(clover_energy(term, kappa, csw) == doctest::Approx(energy).epsilon(1e-12));
    }
  }
}

TEST_CASE("the inverse and the determinant are those of elimination with pivoting") {
  const Index4 lattice{4, 2, 6, 4};
  const Fixture f(lattice, grids_of(lattice).front());
  const CloverField term = make_clover(f.around, kappa, csw);
  const CloverInverse inverse = invert_clover(f.geometry, term);
  double worst = 0, log_det = 0;
  for (int site = 0; site < f.geometry.sites; ++site) {
    const EliminatedMatrix expected = eliminated(f.reference(site));
    worst = std::max(worst, difference(full(inverse.field[site], 0), expected.inverse));
    log_det += expected.log_det;
  }
  CHECK(worst < 1e-12);
  CHECK(inverse.log_det == doctest::Approx(log_det).epsilon(1e-12));
  CHECK(inverse_error(term, inverse.field) < 1e-12);
  CHECK(inverse_error(term, invert_clover(f.geometry, term, 3).field) > 0.01);
}

TEST_CASE("a block without a safe inverse is refused with its place") {
  CloverBlock block{};
  block.diagonal[2] = -1;
  CHECK_FALSE(inverted(block));
  block.diagonal[2] = -1 + 1e-11;
  CHECK(inverted(block));
  block.diagonal[2] = std::nan("");
  CHECK_FALSE(inverted(block));
  if (!one_rank()) return;
  const Geometry g({2, 2, 2, 4}, {1, 1, 1, 1}, 0);
  CloverField term(static_cast<std::size_t>(g.sites), Pages::any, "term");
  for (auto& site : term) site = {};
  term[g.local({1, 0, 1, 2})].block[1].diagonal[0] = -1;
  try {
    invert_clover(g, term);
    FAIL("not refused");
  } catch (const UserError& error) {
    CHECK(std::string(error.what()).find("site 1,0,1,2") != std::string::npos);
  }
}

TEST_CASE("unit links have no term, pure gauges none but rounding") {
  const Index4 lattice{4, 2, 6, 4};
  for (const Index4& grid : grids_of(lattice)) {
    const Geometry g(lattice, grid, world_rank());
    const Links unit = links_of(g, [](const Index4&, int) { return unit_link(); });
    CHECK(largest(make_clover(ExtendedLinks(MPI_COMM_WORLD, g, unit), kappa, csw)) == 0);
    const Links pure = links_of(g, [&](const Index4& x, int mu) {
      return rotation(3, g.position_of(x)) * adjoint(rotation(3, g.position_of(moved(lattice, x, mu, 1))));
    });
    CHECK(largest(make_clover(ExtendedLinks(MPI_COMM_WORLD, g, pure), kappa, csw)) < 1e-14);
  }
}

TEST_CASE("constant Abelian fields in (x,y) and (z,t) have the term of the formula") {
  // U_y(x) = exp(i a x) and U_t(z) = exp(i b z) on the diagonal (charges 1, -1, 0), quantised: F_xy = i sin(a) charge,
  // F_zt = i sin(b) charge, gamma_x gamma_y = i sigma_z, gamma_z gamma_t = i sigma_z gamma_5.
  const Index4 lattice{4, 4, 6, 4};
  const double a = 2 * std::numbers::pi / 16, b = 2 * std::numbers::pi / 24;
  const double charge[colours] = {1, -1, 0};
  for (const Index4& grid : grids_of(lattice)) {
    const Geometry g(lattice, grid, world_rank());
    const Links links = links_of(g, [&](const Index4& x, int mu) {
      Link u{};
      double phase = 0;
      if (mu == 1) phase = a * x[0];
      if (mu == 0 && x[0] == 3) phase = -4 * a * x[1];
      if (mu == 3) phase = b * x[2];
      if (mu == 2 && x[2] == 5) phase = -6 * b * x[3];
      for (int c = 0; c < colours; ++c) u.at[c][c] = {std::cos(phase * charge[c]), std::sin(phase * charge[c])};
      return u;
    });
    const CloverField term = make_clover(ExtendedLinks(MPI_COMM_WORLD, g, links), kappa, csw);
    double worst = 0;
    for (const CloverSite& site : term) {
      SiteMatrix expected{};
      for (int s = 0; s < spins; ++s) {
        const double sigma_z = s % 2 == 0 ? 1 : -1;
        for (int c = 0; c < colours; ++c) {
          const double f = kappa * csw * sigma_z * charge[c];
          expected[3 * s + c][3 * s + c] = f * std::sin(a);
          expected[3 * s + c][3 * ((s + 2) % 4) + c] = f * std::sin(b);
        }
      }
      worst = std::max(worst, difference(full(site, 0), expected));
    }
    CHECK(worst < 1e-14);
  }
}

TEST_CASE("the term has the same bits with either sign of a boundary") {
  const Index4 lattice{4, 2, 6, 4};
  for (const Index4& grid : grids_of(lattice)) {
    Fixture f(lattice, grid);
    const CloverField periodic_term = make_clover(f.around, kappa, csw);
    cross_boundary(f.geometry, {1, -1, 1, -1}, f.links);
    const CloverField term = make_clover(ExtendedLinks(MPI_COMM_WORLD, f.geometry, f.links), kappa, csw);
    CHECK(std::memcmp(term.data(), periodic_term.data(), term.size() * sizeof(CloverSite)) == 0);
  }
}

TEST_CASE("the clover operator is gamma_5 Hermitian, covariant, and the sum of its two parts") {
  const Index4 lattice{4, 2, 6, 4};
  for (const Index4& grid : grids_of(lattice)) {
    const Fixture f(lattice, grid);
    const Geometry& g = f.geometry;
    const CloverField term = make_clover(f.around, kappa, csw);
    Wilson h(MPI_COMM_WORLD, g, f.links, kappa);
    Field x = make_field(g), wilson = make_field(g), hx = make_field(g);
    fill_random(g, 5, Purpose::right, x);
    h.apply(wilson, x);
    h.set_clover(&term);
    h.apply(hx, x);
    double worst = 0;
    for (int site = 0; site < g.sites; ++site) {
      const SiteMatrix t = f.reference(site);
      for (int r = 0; r < site_size; ++r) {
        C sum = 0;
        for (int c = 0; c < site_size; ++c) {
          const auto& a = x[site].at[c / colours][c % colours];
          sum += (t[r][c] - (r == c ? 1.0 : 0.0)) * C(a.re, a.im);
        }
        const int turned = (r + 6) % site_size;
        const auto& base = wilson[site].at[turned / colours][turned % colours];
        const auto& all = hx[site].at[turned / colours][turned % colours];
        worst = std::max(worst, std::abs(C(all.re - base.re, all.im - base.im) - sum));
      }
    }
    CHECK(worst < 1e-13);
    CHECK(hermiticity_error({MPI_COMM_WORLD, g, 7, f.around, f.links, h, {}}) < 1e-12);

    const auto turn = [&](const Index4& at) { return rotation(9, g.position_of(at)); };
    Links turned(f.links.size(), Pages::any, "turned links");
    Field turned_x = make_field(g), h_turned = make_field(g);
    for (int site = 0; site < g.sites; ++site) {
      const Index4 here = g.global(site);
      turned_x[site] = rotated(turn(here), x[site]);
      for (int mu = 0; mu < directions; ++mu) {
        turned[4 * site + mu] = turn(here) * f.links[4 * site + mu] * adjoint(turn(moved(lattice, here, mu, 1)));
      }
    }
    const CloverField turned_term = make_clover(ExtendedLinks(MPI_COMM_WORLD, g, turned), kappa, csw);
    Wilson turned_h(MPI_COMM_WORLD, g, turned, kappa);
    turned_h.set_clover(&turned_term);
    turned_h.apply(h_turned, turned_x);
    double error = 0, size = 0;
    for (int site = 0; site < g.sites; ++site) {
      const Spinor expected = rotated(turn(g.global(site)), hx[site]);
      for (int s = 0; s < spins; ++s) {
        for (int c = 0; c < colours; ++c) {
          error += std::pow(expected.at[s][c].re - h_turned[site].at[s][c].re, 2) +
                   std::pow(expected.at[s][c].im - h_turned[site].at[s][c].im, 2);
          size += std::pow(expected.at[s][c].re, 2) + std::pow(expected.at[s][c].im, 2);
        }
      }
    }
    CHECK(std::sqrt(error / size) < 1e-13);
  }
}

TEST_CASE("the faults change the term") {
  const Index4 lattice{4, 2, 6, 4};
  const Fixture f(lattice, grids_of(lattice).front());
  const SiteMatrix expected = f.reference(0);
  CHECK(difference(full(make_clover(f.around, kappa, csw, {.sign_xy = -1})[0], 1), expected) > 0.01);
  CHECK(difference(full(make_clover(f.around, kappa, csw, {.factor = 2})[0], 1), expected) > 0.01);
}
