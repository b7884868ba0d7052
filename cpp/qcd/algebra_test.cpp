#include "qcd/algebra.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "qcd/clover.hpp"
#include "qcd/gauge/su3.hpp"
#include "qcd/work.hpp"

using namespace tenken;
using namespace tenken::qcd;

namespace {

// A number that counts the additions and multiplications made with it; negation is free.
struct Counted {
  static inline std::int64_t flop = 0;
  double x = 0;
  Counted() = default;
  explicit Counted(double value) : x(value) {}
  friend Counted operator+(Counted a, Counted b) { return ++flop, Counted(a.x + b.x); }
  friend Counted operator-(Counted a, Counted b) { return ++flop, Counted(a.x - b.x); }
  friend Counted operator*(Counted a, Counted b) { return ++flop, Counted(a.x * b.x); }
  Counted operator-() const { return Counted(-x); }
};

template <class Count>
std::int64_t flop_of(Count count) {
  Counted::flop = 0;
  count();
  return Counted::flop;
}

template <int mu>
void both_hops(BasicSpinor<Counted>& sum) {
  const BasicSpinor<Counted> psi{};
  const BasicLink<Counted> u{};
  accumulate<mu, Way::forward>(sum, u * project<mu, Way::forward>(psi));
  accumulate<mu, Way::backward>(sum, adjoint_times(u, project<mu, Way::backward>(psi)));
}

}  // namespace

TEST_CASE("the flop of the operator are those counted on one site") {
  BasicSpinor<Counted> sum{};
  CHECK(flop_of([&] { both_hops<0>(sum), both_hops<1>(sum), both_hops<2>(sum), both_hops<3>(sum); }) == hop_flop);
  CHECK(flop_of([&] { finish(sum, sum, Counted(0.1)); }) == operator_flop - hop_flop);
}

TEST_CASE("the flop of the clover term are those counted on one site, without the change of basis") {
  constexpr std::int64_t change_of_basis = 48 + 24;  // sums and differences, halves
  const BasicCloverSite<Counted> site{};
  const BasicSpinor<Counted> psi{};
  CHECK(flop_of([&] { clover_times(site, psi); }) == clover_flop + change_of_basis);
}

TEST_CASE("the flop of packing are those counted on one site") {
  const BasicSpinor<Counted> psi{};
  const BasicLink<Counted> u{};
  CHECK(flop_of([&] { project<2, Way::forward>(psi); }) == projection_flop);
  CHECK(flop_of([&] { project<3, Way::backward>(psi); }) == 0);
  CHECK(flop_of([&] { adjoint_times(u, project<3, Way::backward>(psi)); }) == link_multiply_flop);
}

TEST_CASE("random links are unitary with unit determinant") {
  const RandomStream random(3, 5);
  for (std::uint64_t i = 0; i < 200; ++i) {
    for (const Link& u : {random_link(random, 18 * i), random_link_near_one(random, 18 * i, 1.0)}) {
      CHECK(unitarity_error(u) < 1e-14);
      CHECK(determinant_error(u) < 1e-14);
    }
  }
  Link wrong = random_link(random, 0);
  for (auto& row : wrong.at) {
    for (auto& a : row) a = -1.0 * a;
  }
  CHECK(unitarity_error(wrong) < 1e-14);
  CHECK(determinant_error(wrong) > 1);
}

TEST_CASE("a matrix that holds NaN is not unitary, and neither is one whose squares overflow") {
  for (const double wrong : {std::nan(""), 1e200}) {
    Link u = unit_link();
    u.at[0][0].im = wrong;
    CHECK_FALSE(unitarity_error(u) < 1);
  }
}

TEST_CASE("uniform links have the moments of the Haar measure") {
  constexpr int n = 20000;
  const RandomStream random(1, 1);
  Complex<double> first{}, second{};
  double absolute = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const Complex<double> t = trace(random_link(random, 18 * i));
    first = first + t;
    second = second + t * t;
    absolute += t.re * t.re + t.im * t.im;
  }
  // <tr U> = <(tr U)^2> = 0, <|tr U|^2> = 1, <|tr U|^4> = 2: five standard errors.
  const double error = 5 / std::sqrt(n);
  CHECK(std::hypot(first.re, first.im) / n < error);
  CHECK(std::hypot(second.re, second.im) / n < 2 * error);
  CHECK(std::abs(absolute / n - 1) < error);
}

TEST_CASE("links near one have the width asked for") {
  // <Re tr U> / 3 = 1 - <sum_k a_k^2> epsilon^2 / 12 + O(epsilon^4) = 1 - (2/3) epsilon^2 for eight normal a_k.
  constexpr int n = 4000;
  constexpr double epsilon = 0.02;
  const RandomStream random(1, 2);
  double sum = 0;
  for (std::uint64_t i = 0; i < n; ++i) sum += 1 - trace(random_link_near_one(random, 18 * i, epsilon)).re / colours;
  // The sum of eight squares has the relative deviation sqrt(2/8).
  CHECK(sum / n == doctest::Approx(2.0 / 3 * epsilon * epsilon).epsilon(5 * 0.5 / std::sqrt(n) + epsilon * epsilon));
}
