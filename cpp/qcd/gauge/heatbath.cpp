#include "qcd/gauge/heatbath.hpp"

#include <cmath>
#include <string>

#include "base/error.hpp"
#include "qcd/gauge/start.hpp"
#include "qcd/gauge/su2.hpp"
#include "qcd/gauge/su3.hpp"

namespace tenken::qcd {

namespace {

// Numbers set aside for one link and subgroup: 62 trials of the slower way to draw h0, of which one in two succeeds.
constexpr std::uint64_t draws_of_a_subgroup = 256;

// Three numbers and an unused one: a vector of the machine, of GCC and Clang on every architecture.
using Row = double __attribute__((vector_size(4 * sizeof(double))));

struct Rows {
  Row re[colours] = {};
  Row im[colours] = {};
};

Rows rows_of(const Link& u) {
  Rows rows;
  for (int a = 0; a < colours; ++a) {
    for (int b = 0; b < colours; ++b) {
      rows.re[a][b] = u.at[a][b].re;
      rows.im[a][b] = u.at[a][b].im;
    }
  }
  return rows;
}

Link link_of(const Rows& rows) {
  Link u;
  for (int a = 0; a < colours; ++a) {
    for (int b = 0; b < colours; ++b) u.at[a][b] = {rows.re[a][b], rows.im[a][b]};
  }
  return u;
}

// sum += a b, or a^dagger b, where element(i, k) is that of a or a^dagger.
template <class Element>
void add_product(Rows& sum, Element element, const Rows& b) {
  for (int i = 0; i < colours; ++i) {
    for (int k = 0; k < colours; ++k) {
      const Complex<double> a = element(i, k);
      sum.re[i] += a.re * b.re[k];
      sum.im[i] += a.re * b.im[k];
      sum.re[i] -= a.im * b.im[k];
      sum.im[i] += a.im * b.re[k];
    }
  }
}

auto plain(const Link& u) {
  return [&u](int i, int k) { return u.at[i][k]; };
}
auto daggered(const Rows& u) {
  return [&u](int i, int k) { return Complex<double>{u.re[k][i], -u.im[k][i]}; };
}

// A for U_mu(x) at `u`; `step` is the distance of neighbours in memory.
//   A = sum_nu U_nu(x + mu) [U_nu(x) U_mu(x + nu)]^dagger + [U_mu(x - nu) U_nu(x + mu - nu)]^dagger U_nu(x - nu)
Link staples(const Link* site, const std::ptrdiff_t (&step)[directions], int mu) {
  Rows forward;  // the adjoint of the first terms, which is a sum of plain products
  Rows backward;
  for (int nu = 0; nu < directions; ++nu) {
    if (nu == mu) continue;
    const Link* ahead = site + step[mu];
    const Link* behind = site - step[nu];
    const Link* corner = behind + step[mu];
    // U_nu(x) U_mu(x + nu) U_nu(x + mu)^dagger
    Rows turned;
    add_product(turned, plain(site[nu]), rows_of(site[step[nu] + mu]));
    add_product(
        forward,
        [&](int i, int k) {
          return Complex<double>{turned.re[i][k], turned.im[i][k]};
        },
        rows_of(adjoint(ahead[nu])));
    Rows below;
    add_product(below, plain(behind[mu]), rows_of(corner[nu]));
    add_product(backward, daggered(below), rows_of(behind[nu]));
  }
  const Link first = adjoint(link_of(forward));
  Link sum = link_of(backward);
  for (int a = 0; a < colours; ++a) {
    for (int b = 0; b < colours; ++b) sum.at[a][b] = sum.at[a][b] + first.at[a][b];
  }
  return sum;
}

int parity(const Index4& x) { return (x[0] + x[1] + x[2] + x[3]) % 2; }

// Runs through the three subgroups: u = a u with a = next(v / k, k, subgroup), v the quaternion part of u A, k = |v|.
template <class Next>
void update_link(Link& u, const Link& a, Next next) {
  Link w = u * a;
  for (int subgroup = 0; subgroup < subgroups; ++subgroup) {
    Quaternion v = block(w, subgroup);
    const double k = norm(v);
    if (k > 0) {
      for (double& each : v.a) each /= k;
    } else {
      v = {{1, 0, 0, 0}};  // every direction is as good
    }
    const Quaternion change = next(v, k, subgroup);
    multiply(change, subgroup, w);
    multiply(change, subgroup, u);
  }
}

}  // namespace

Link staples(const ExtendedLinks& links, const Index4& x, int mu) {
  std::ptrdiff_t step[directions];
  for (int d = 0; d < directions; ++d) step[d] = links.stride(d);
  return staples(&links.at(x, 0), step, mu);
}

HeatBath::HeatBath(ExtendedLinks& links, double beta, std::uint64_t seed) : links_(links), beta_(beta), seed_(seed) {
  const Geometry& g = links.geometry();
  for (int d = 0; d < directions; ++d) {
    if (const int extent = g.block.lattice()[d]; extent % 2 != 0) {
      refuse("--lattice has extent " + std::to_string(extent) + " in " + "xyzt"[d] +
             "; a heat bath updates even and odd sites in turn and needs an even one, such as " +
             std::to_string(extent + 1));
    }
  }
  const Link* first = &links.at({0, 0, 0, 0}, 0);
  for (int site = 0; site < g.sites; ++site) {
    const Index4 x = g.global(site);
    sites_[parity(x)].push_back({&links.at(coordinates(site, g.block.extents()), 0) - first, g.position_of(x)});
  }
}

template <class Update>
void HeatBath::update_all(Update update) {
  Link* const first = &links_.at({0, 0, 0, 0}, 0);
  std::ptrdiff_t step[directions];
  for (int d = 0; d < directions; ++d) step[d] = links_.stride(d);
  for (int mu = 0; mu < directions; ++mu) {
    // Two links of one direction on sites of one parity are never in the same plaquette.
    for (const int parity : {0, 1}) {
      const std::vector<Site>& sites = sites_[parity];
#pragma omp parallel for schedule(static)
      for (std::size_t n = 0; n < sites.size(); ++n) {
        Link* const site = first + sites[n].link;
        update(site[mu], staples(site, step, mu), sites[n].global * directions + mu);
      }
      links_.exchange(mu, parity);
    }
  }
}

void HeatBath::heat() {
  const RandomStream random(seed_, static_cast<std::uint64_t>(Purpose::heat_bath) + (heats_++ << 8));
  update_all([&](Link& u, const Link& a, std::int64_t link) {
    update_link(u, a, [&](const Quaternion& v, double k, int subgroup) {
      Draws draws(random, (static_cast<std::uint64_t>(link) * subgroups + static_cast<std::uint64_t>(subgroup)) *
                              draws_of_a_subgroup);
      return random_su2(2 * beta_ / colours * k, draws) * conj(v);
    });
    u = reunitarised(u);
  });
}

void HeatBath::relax() {
  update_all([](Link& u, const Link& a, std::int64_t) {
    update_link(u, a, [](const Quaternion& v, double, int) { return conj(v) * conj(v); });
  });
}

void HeatBath::sweep(int overrelaxation) {
  for (int n = 0; n < overrelaxation; ++n) relax();
  heat();
}

LastPlaquettes last_plaquettes(const ExtendedLinks& links, double beta) {
  constexpr int t = 3;
  const Geometry& g = links.geometry();
  // One entry for each site, so that the order of the sums is fixed.
  std::vector<Quaternion> parts(static_cast<std::size_t>(g.sites));
#pragma omp parallel for schedule(static)
  for (int site = 0; site < g.sites; ++site) {
    const Index4 x = coordinates(site, g.block.extents());
    parts[site] = block(links.at(x, t) * staples(links, x, t), subgroups - 1);
  }
  double sums[3] = {};
  for (int site = 0; site < g.sites; ++site) {
    if (parity(g.global(site)) == 0) continue;
    const double* v = parts[site].a;
    const double plaquette = v[0] / 6;
    const double expected = 2 * beta / 9 * (v[1] * v[1] + v[2] * v[2] + v[3] * v[3]) / 6;
    sums[0] += plaquette;
    sums[1] += expected;
    sums[2] += (plaquette - expected) * (plaquette - expected);
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_DOUBLE, MPI_SUM, links.comm());
  const double count = static_cast<double>(product(g.block.lattice())) / 2;
  return {.plaquette = sums[0] / count, .expected = sums[1] / count, .deviation = std::sqrt(sums[2]) / count};
}

}  // namespace tenken::qcd
