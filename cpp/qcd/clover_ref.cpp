#include "qcd/clover_ref.hpp"

#include <cmath>
#include <utility>

namespace tenken::qcd {

namespace {

using C = std::complex<double>;
using SpinMatrix = std::array<std::array<C, spins>, spins>;
using ColourMatrix = std::array<std::array<C, colours>, colours>;

constexpr C i{0, 1};
constexpr SpinMatrix gamma[directions] = {
    {{{0, 0, 0, -i}, {0, 0, -i, 0}, {0, i, 0, 0}, {i, 0, 0, 0}}},
    {{{0, 0, 0, -1}, {0, 0, 1, 0}, {0, 1, 0, 0}, {-1, 0, 0, 0}}},
    {{{0, 0, -i, 0}, {0, 0, 0, i}, {i, 0, 0, 0}, {0, -i, 0, 0}}},
    {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, -1, 0}, {0, 0, 0, -1}}},
};

template <std::size_t n>
std::array<std::array<C, n>, n> product(const std::array<std::array<C, n>, n>& a,
                                        const std::array<std::array<C, n>, n>& b) {
  std::array<std::array<C, n>, n> out{};
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t c = 0; c < n; ++c) {
      for (std::size_t k = 0; k < n; ++k) out[r][c] += a[r][k] * b[k][c];
    }
  }
  return out;
}

// A walk of four steps from x, each +-(direction + 1); the product of the links on the way.
ColourMatrix walk(const Index4& lattice, Index4 x, const LinkAt& link, const std::array<int, 4>& steps) {
  ColourMatrix along{};
  for (std::size_t a = 0; a < colours; ++a) along[a][a] = 1;
  for (const int step : steps) {
    const int mu = std::abs(step) - 1;
    Index4 next = x;
    next[mu] = (x[mu] + (step > 0 ? 1 : -1) + lattice[mu]) % lattice[mu];
    const Link u = link(step > 0 ? x : next, mu);
    ColourMatrix m{};
    for (std::size_t a = 0; a < colours; ++a) {
      for (std::size_t b = 0; b < colours; ++b) {
        m[a][b] = step > 0 ? C(u.at[a][b].re, u.at[a][b].im) : C(u.at[b][a].re, -u.at[b][a].im);
      }
    }
    along = product(along, m);
    x = next;
  }
  return along;
}

ColourMatrix strength(const Index4& lattice, const Index4& x, const LinkAt& link, int mu, int nu) {
  const int m = mu + 1, n = nu + 1;
  const std::array<int, 4> leaves[4] = {{m, n, -m, -n}, {n, -m, -n, m}, {-m, -n, m, n}, {-n, m, n, -m}};
  ColourMatrix q{};
  for (const auto& leaf : leaves) {
    const ColourMatrix w = walk(lattice, x, link, leaf);
    for (std::size_t a = 0; a < colours; ++a) {
      for (std::size_t b = 0; b < colours; ++b) q[a][b] += w[a][b];
    }
  }
  ColourMatrix f;
  for (std::size_t a = 0; a < colours; ++a) {
    for (std::size_t b = 0; b < colours; ++b) f[a][b] = (q[a][b] - std::conj(q[b][a])) / 8.0;
  }
  return f;
}

}  // namespace

SiteMatrix clover_reference(const Index4& lattice, const Index4& x, const LinkAt& link, double kappa, double csw) {
  SiteMatrix t{};
  for (std::size_t n = 0; n < site_size; ++n) t[n][n] = 1;
  for (int mu = 0; mu < directions; ++mu) {
    for (int nu = mu + 1; nu < directions; ++nu) {
      const SpinMatrix sigma = product(gamma[mu], gamma[nu]);
      const ColourMatrix f = strength(lattice, x, link, mu, nu);
      for (std::size_t r = 0; r < site_size; ++r) {
        for (std::size_t c = 0; c < site_size; ++c) {
          t[r][c] -= kappa * csw * sigma[r / colours][c / colours] * f[r % colours][c % colours];
        }
      }
    }
  }
  return t;
}

double clover_energy_reference(const Index4& lattice, const Index4& x, const LinkAt& link) {
  double energy = 0;
  for (int mu = 0; mu < directions; ++mu) {
    for (int nu = mu + 1; nu < directions; ++nu) {
      const ColourMatrix f = strength(lattice, x, link, mu, nu);
      const ColourMatrix ff = product(f, f);
      for (std::size_t a = 0; a < colours; ++a) energy -= ff[a][a].real();
    }
  }
  return energy;
}

EliminatedMatrix eliminated(const SiteMatrix& matrix) {
  SiteMatrix a = matrix;
  EliminatedMatrix out{{}, 0};
  for (std::size_t n = 0; n < site_size; ++n) out.inverse[n][n] = 1;
  for (std::size_t column = 0; column < site_size; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column + 1; row < site_size; ++row) {
      if (std::abs(a[row][column]) > std::abs(a[pivot][column])) pivot = row;
    }
    std::swap(a[pivot], a[column]);
    std::swap(out.inverse[pivot], out.inverse[column]);
    const C d = a[column][column];
    out.log_det += std::log(std::abs(d));
    for (std::size_t k = 0; k < site_size; ++k) {
      a[column][k] /= d;
      out.inverse[column][k] /= d;
    }
    for (std::size_t row = 0; row < site_size; ++row) {
      if (row == column) continue;
      const C factor = a[row][column];
      for (std::size_t k = 0; k < site_size; ++k) {
        a[row][k] -= factor * a[column][k];
        out.inverse[row][k] -= factor * out.inverse[column][k];
      }
    }
  }
  return out;
}

}  // namespace tenken::qcd
