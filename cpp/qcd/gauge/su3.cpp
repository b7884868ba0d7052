#include "qcd/gauge/su3.hpp"

#include <algorithm>
#include <cmath>

namespace tenken::qcd {

namespace {

using C = Complex<double>;

double magnitude(const C& a) { return std::hypot(a.re, a.im); }

void normalise(C (&row)[colours]) {
  double norm2 = 0;
  for (const C& a : row) norm2 += a.re * a.re + a.im * a.im;
  for (C& a : row) a = 1 / std::sqrt(norm2) * a;
}

Link normal_matrix(const RandomStream& random, std::uint64_t first) {
  Link m;
  for (auto& row : m.at) {
    for (C& a : row) {
      a = {random.normal(first), random.normal(first + 1)};
      first += 2;
    }
  }
  return m;
}

// 1 + x + x^2/2 + ... by Horner's rule. |x| stays below about 4 (epsilon <= 1), where 40 terms reach 4^40/40! = 1e-24.
Link exponential(const Link& x) {
  constexpr int terms = 40;
  Link sum = unit_link();
  for (int n = terms; n > 0; --n) {
    sum = x * sum;
    for (int a = 0; a < colours; ++a) {
      for (int b = 0; b < colours; ++b) sum.at[a][b] = 1.0 / n * sum.at[a][b];
      sum.at[a][a].re += 1;
    }
  }
  return sum;
}

}  // namespace

Link unit_link() {
  Link one{};
  for (int a = 0; a < colours; ++a) one.at[a][a] = {1, 0};
  return one;
}

Link operator*(const Link& a, const Link& b) {
  Link out{};
  for (int i = 0; i < colours; ++i) {
    for (int j = 0; j < colours; ++j) {
      for (int k = 0; k < colours; ++k) out.at[i][j] = plus_product(out.at[i][j], a.at[i][k], b.at[k][j]);
    }
  }
  return out;
}

Link adjoint(const Link& a) {
  Link out;
  for (int i = 0; i < colours; ++i) {
    for (int j = 0; j < colours; ++j) out.at[i][j] = conj(a.at[j][i]);
  }
  return out;
}

C trace(const Link& a) { return a.at[0][0] + a.at[1][1] + a.at[2][2]; }

C determinant(const Link& a) {
  C sum{};
  for (int i = 0; i < colours; ++i) {
    const int j = (i + 1) % colours;
    const int k = (i + 2) % colours;
    sum = plus_product(sum, a.at[0][i], a.at[1][j] * a.at[2][k] - a.at[1][k] * a.at[2][j]);
  }
  return sum;
}

double larger(double a, double b) { return std::isnan(a) || a >= b ? a : b; }

double unitarity_error(const Link& u) {
  const Link product = u * adjoint(u);
  const Link one = unit_link();
  double worst = 0;
  for (int i = 0; i < colours; ++i) {
    for (int j = 0; j < colours; ++j) worst = larger(worst, magnitude(product.at[i][j] - one.at[i][j]));
  }
  return worst;
}

double determinant_error(const Link& u) { return magnitude(determinant(u) - C{1, 0}); }

Link reunitarised(const Link& a) {
  Link u = a;
  normalise(u.at[0]);
  C overlap{};
  for (int i = 0; i < colours; ++i) overlap = plus_conj_product(overlap, u.at[0][i], u.at[1][i]);
  for (int i = 0; i < colours; ++i) u.at[1][i] = u.at[1][i] - overlap * u.at[0][i];
  normalise(u.at[1]);
  rebuild_third_row(u);
  return u;
}

void rebuild_third_row(Link& u) {
  for (int i = 0; i < colours; ++i) {
    const int j = (i + 1) % colours;
    const int k = (i + 2) % colours;
    u.at[2][i] = conj(u.at[0][j] * u.at[1][k] - u.at[0][k] * u.at[1][j]);
  }
}

double third_row_error(const Link& u) {
  Link whole = u;
  rebuild_third_row(whole);
  double worst = 0;
  for (int i = 0; i < colours; ++i) worst = larger(worst, magnitude(u.at[2][i] - whole.at[2][i]));
  return worst;
}

Link random_link(const RandomStream& random, std::uint64_t first) { return reunitarised(normal_matrix(random, first)); }

Link random_link_near_one(const RandomStream& random, std::uint64_t first, double epsilon) {
  const Link m = normal_matrix(random, first);
  // (m - m^dagger) / 2 without its trace has 8 components of variance 1 in a basis of unit matrices; i lambda_k / 2 has
  // the square norm 1/2.
  Link x;
  for (int i = 0; i < colours; ++i) {
    for (int j = 0; j < colours; ++j) x.at[i][j] = 0.5 * (m.at[i][j] - conj(m.at[j][i]));
  }
  const double third = trace(x).im / colours;
  for (int i = 0; i < colours; ++i) {
    x.at[i][i].im -= third;
    for (int j = 0; j < colours; ++j) x.at[i][j] = epsilon * std::sqrt(0.5) * x.at[i][j];
  }
  return reunitarised(exponential(x));
}

Spinor rotated(const Link& g, const Spinor& psi) {
  Spinor out{};
  for (int s = 0; s < spins; ++s) {
    for (int a = 0; a < colours; ++a) {
      for (int b = 0; b < colours; ++b) out.at[s][a] = plus_product(out.at[s][a], g.at[a][b], psi.at[s][b]);
    }
  }
  return out;
}

}  // namespace tenken::qcd
