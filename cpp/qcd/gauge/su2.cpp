#include "qcd/gauge/su2.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tenken::qcd {

namespace {

using C = Complex<double>;

constexpr int rows[subgroups][2] = {{0, 1}, {0, 2}, {1, 2}};

// Where the two ways of drawing h0 take the same number of trials.
constexpr double kennedy_pendleton_from = 2.0;

// M. Creutz, Phys. Rev. D 21 (1980) 2308: exp(alpha h0) exactly, sqrt(1 - h0^2) by rejection.
double creutz_h0(double alpha, Draws& draws) {
  const double range = std::expm1(2 * alpha);
  while (true) {
    const double u = draws();
    // Below, alpha changes the uniform law by less than rounding does.
    const double h0 = alpha < 1e-15 ? 2 * u - 1 : std::min(std::log1p(u * range) / alpha - 1, 1.0);
    const double v = draws();
    if (v * v < 1 - h0 * h0) return h0;
  }
}

// A. D. Kennedy, B. J. Pendleton, Phys. Lett. B 156 (1985) 393: sqrt(1 - h0) exp(alpha h0) as the sum of an
// exponential and half a squared normal number, sqrt(1 + h0) by rejection.
double kennedy_pendleton_h0(double alpha, Draws& draws) {
  while (true) {
    const double cosine = std::cos(2 * std::numbers::pi * draws());
    const double sum = std::log1p(-draws()) * cosine * cosine + std::log1p(-draws());
    const double below_one = -sum / alpha;  // 1 - h0
    const double v = draws();
    if (v * v < 1 - below_one / 2) return 1 - below_one;
  }
}

}  // namespace

Quaternion operator*(const Quaternion& x, const Quaternion& y) {
  const double* a = x.a;
  const double* b = y.a;
  // sigma_j sigma_k = delta_jk + i epsilon_jkl sigma_l, and i^2 turns the sign of the cross product.
  return {{a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
           a[0] * b[1] + a[1] * b[0] - (a[2] * b[3] - a[3] * b[2]),
           a[0] * b[2] + a[2] * b[0] - (a[3] * b[1] - a[1] * b[3]),
           a[0] * b[3] + a[3] * b[0] - (a[1] * b[2] - a[2] * b[1])}};
}

Quaternion conj(const Quaternion& x) { return {{x.a[0], -x.a[1], -x.a[2], -x.a[3]}}; }

double norm(const Quaternion& x) {
  return std::sqrt(x.a[0] * x.a[0] + x.a[1] * x.a[1] + x.a[2] * x.a[2] + x.a[3] * x.a[3]);
}

Quaternion block(const Link& w, int subgroup) {
  const auto [i, j] = rows[subgroup];
  const C &ii = w.at[i][i], &ij = w.at[i][j], &ji = w.at[j][i], &jj = w.at[j][j];
  return {{(ii.re + jj.re) / 2, (ij.im + ji.im) / 2, (ij.re - ji.re) / 2, (ii.im - jj.im) / 2}};
}

void multiply(const Quaternion& a, int subgroup, Link& u) {
  const auto [i, j] = rows[subgroup];
  const C diagonal{a.a[0], a.a[3]};
  const C other{a.a[2], a.a[1]};
  for (int c = 0; c < colours; ++c) {
    const C upper = u.at[i][c];
    const C lower = u.at[j][c];
    u.at[i][c] = plus_product(diagonal * upper, other, lower);
    u.at[j][c] = plus_conj_product(C{} - conj(other) * upper, diagonal, lower);
  }
}

double random_h0(double alpha, Draws& draws) {
  return alpha < kennedy_pendleton_from ? creutz_h0(alpha, draws) : kennedy_pendleton_h0(alpha, draws);
}

Quaternion random_su2(double alpha, Draws& draws) {
  const double h0 = random_h0(alpha, draws);
  const double radius = std::sqrt(std::max(0.0, (1 - h0) * (1 + h0)));
  const double cosine = 2 * draws() - 1;
  const double sine = std::sqrt(std::max(0.0, (1 - cosine) * (1 + cosine)));
  const double phi = 2 * std::numbers::pi * draws();
  return {{h0, radius * sine * std::cos(phi), radius * sine * std::sin(phi), radius * cosine}};
}

}  // namespace tenken::qcd
