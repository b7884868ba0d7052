#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "qcd/gauge/su2.hpp"
#include "qcd/gauge/su3.hpp"

using namespace tenken;
using namespace tenken::qcd;

namespace {

constexpr int panels = 20000;

// Integral of f over [low, high] by the midpoint rule.
template <class F>
double integral(F f, double low, double high) {
  double sum = 0;
  for (int n = 0; n < panels; ++n) sum += f(low + (n + 0.5) * (high - low) / panels);
  return sum * (high - low) / panels;
}

double weight(double alpha, double h0) { return std::sqrt(1 - h0 * h0) * std::exp(alpha * (h0 - 1)); }

// (Re tr U) of one link with the weight exp(x Re tr U), by the formula of Weyl for the angles of its eigenvalues.
double mean_trace(double x) {
  constexpr int n = 128;  // of a smooth periodic function: exact to rounding
  double weights = 0, sum = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double angle[3] = {2 * std::numbers::pi * i / n, 2 * std::numbers::pi * j / n,
                               -2 * std::numbers::pi * (i + j) / n};
      double measure = 1, re = 0;
      for (int a = 0; a < 3; ++a) {
        re += std::cos(angle[a]);
        for (int b = 0; b < a; ++b) measure *= 2 - 2 * std::cos(angle[a] - angle[b]);
      }
      weights += measure * std::exp(x * re);
      sum += measure * std::exp(x * re) * re;
    }
  }
  return sum / weights;
}

}  // namespace

TEST_CASE("the SU(2) subgroups multiply, invert and act as their matrices do") {
  const RandomStream random(1, 1);
  const Link u = random_link(random, 0);
  const Link w = random_link(random, 18);
  Draws draws(random, 1000);
  const Quaternion a = random_su2(1.5, draws), b = random_su2(0.5, draws);
  CHECK(norm(a) == doctest::Approx(1));
  for (int subgroup = 0; subgroup < subgroups; ++subgroup) {
    Link left = u, both = u;
    multiply(b, subgroup, left);
    multiply(a, subgroup, left);
    multiply(a * b, subgroup, both);
    Link back = both;
    multiply(conj(a * b), subgroup, back);
    for (int i = 0; i < colours; ++i) {
      for (int j = 0; j < colours; ++j) {
        CHECK(left.at[i][j].re == doctest::Approx(both.at[i][j].re));
        CHECK(left.at[i][j].im == doctest::Approx(both.at[i][j].im));
        CHECK(back.at[i][j].re == doctest::Approx(u.at[i][j].re));
      }
    }
    CHECK(unitarity_error(both) < 1e-14);
    CHECK(determinant_error(both) < 1e-14);
    // Re tr(a W) changes by 2 (a.v - v0), with the signs of su2.hpp.
    Link turned = w;
    multiply(a, subgroup, turned);
    const Quaternion part = block(w, subgroup);
    const double* v = part.a;
    const double change = 2 * (a.a[0] * v[0] - a.a[1] * v[1] - a.a[2] * v[2] - a.a[3] * v[3] - v[0]);
    CHECK(trace(turned).re - trace(w).re == doctest::Approx(change));
  }
}

TEST_CASE("h0 has its density for every alpha, below and above the change of method") {
  constexpr int n = 40000;
  for (const double alpha : {0.0, 1e-20, 1e-6, 0.3, 1.0, 1.99, 2.0, 3.0, 10.0, 60.0, 400.0}) {
    const RandomStream random(11, 4);
    std::vector<double> h(n);
    for (std::uint64_t i = 0; i < n; ++i) {
      Draws draws(random, 256 * i);
      h[i] = random_h0(alpha, draws);
    }
    std::sort(h.begin(), h.end());
    REQUIRE(h.front() >= -1);
    REQUIRE(h.back() <= 1);
    // Kolmogorov-Smirnov against the integral from where the weight is below 1e-20 on; sqrt(n) D > 2.0 has the
    // probability 7e-4.
    const double low = std::max(-1.0, 1 - 50 / std::max(alpha, 1e-9));
    const double all = integral([&](double x) { return weight(alpha, x); }, low, 1);
    double largest = 0, sum = 0;
    int drawn = 0;
    for (int p = 0; p < panels; ++p) {
      const double x = low + (p + 1.0) * (1 - low) / panels;
      sum += weight(alpha, x - 0.5 * (1 - low) / panels) * (1 - low) / panels;
      while (drawn < n && h[drawn] <= x) ++drawn;
      largest = std::max(largest, std::abs(sum / all - static_cast<double>(drawn) / n));
    }
    CAPTURE(alpha);
    CHECK(std::sqrt(n) * largest < 2.0);
  }
}

TEST_CASE("directions of random SU(2) elements are uniform") {
  constexpr int n = 20000;
  const RandomStream random(5, 6);
  double first[4] = {}, second[4][4] = {};
  for (std::uint64_t i = 0; i < n; ++i) {
    Draws draws(random, 256 * i);
    const Quaternion h = random_su2(0, draws);
    for (int a = 0; a < 4; ++a) {
      first[a] += h.a[a] / n;
      for (int b = 0; b < 4; ++b) second[a][b] += h.a[a] * h.a[b] / n;
    }
  }
  // Uniform on the sphere: <h_a h_b> = delta_ab / 4, variances at most 1/4 and 1/16.
  for (int a = 0; a < 4; ++a) {
    CHECK(std::abs(first[a]) < 5 * 0.5 / std::sqrt(n));
    for (int b = 0; b < 4; ++b) CHECK(std::abs(second[a][b] - (a == b ? 0.25 : 0)) < 5 * 0.25 / std::sqrt(n));
  }
}

TEST_CASE("a single link against the integrals of one link") {
  // W = U c for the staple sum c 1: the heat bath in three subgroups, again and again, has the weight exp(x Re tr U),
  // x = c beta / 3. Every second update is recorded; neighbours in the series are correlated a little.
  for (const double x : {0.2, 1.0, 3.0}) {
    constexpr int n = 8000;
    const RandomStream random(9, 1);
    Link u = unit_link();
    double sum = 0, squares = 0;
    for (std::uint64_t i = 0; i < 2 * n; ++i) {
      for (int subgroup = 0; subgroup < subgroups; ++subgroup) {
        Quaternion v = block(u, subgroup);
        const double k = norm(v);
        for (double& each : v.a) each /= k;
        Draws draws(random, (subgroups * i + static_cast<std::uint64_t>(subgroup)) * 256);
        multiply(random_su2(2 * x * k, draws) * conj(v), subgroup, u);
      }
      u = reunitarised(u);
      if (i % 2 == 0) continue;
      sum += trace(u).re / n;
      squares += trace(u).re * trace(u).re / n;
    }
    const double error = std::sqrt((squares - sum * sum) / n);
    CAPTURE(x);
    CHECK(std::abs(sum - mean_trace(x)) < 5 * error);
    CHECK(sum < 3);
  }
  // Leading order of <Re tr U>: x / 2.
  CHECK(mean_trace(0.001) == doctest::Approx(0.0005).epsilon(1e-3));
}
