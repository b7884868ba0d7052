#include "qcd/bicgstab.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace tenken::qcd;

namespace {

using Numbers = std::array<Complex<double>, 3>;

// A small dense matrix as a system.
struct Dense {
  using Vector = Numbers;
  double breakdown = 1e-14;
  double a[3][3];

  Vector make() const { return {}; }
  void copy(const Vector& from, Vector& to) const { to = from; }
  void clear(Vector& x) const { x = {}; }
  Vector times(const Vector& in) const {
    Vector out{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) out[i] = out[i] + a[i][j] * in[j];
    }
    return out;
  }
  void apply(Vector& out, Vector& hat, const Vector& in) const {
    hat = in;
    out = times(in);
  }
  Complex<double> dot(const Vector& x, const Vector& y) const {
    Complex<double> sum{};
    for (std::size_t i = 0; i < 3; ++i) sum = plus_conj_product(sum, x[i], y[i]);
    return sum;
  }
  double norm2(const Vector& x) const { return dot(x, x).re; }
  Dots dots(const Vector& x, const Vector& y) const { return {dot(x, y), norm2(x)}; }
  void axpy(const Complex<double>& f, const Vector& x, Vector& y) const {
    for (std::size_t i = 0; i < 3; ++i) y[i] = plus_product(y[i], f, x[i]);
  }
  void turn(Vector& p, const Vector& r, const Vector& v, const Complex<double>& beta, const Complex<double>& w) const {
    for (std::size_t i = 0; i < 3; ++i) p[i] = plus_product(r[i], beta, p[i] - w * v[i]);
  }
  double exact(const Vector& b, const Vector& x, Vector& r) const {
    const Vector ax = times(x);
    for (std::size_t i = 0; i < 3; ++i) r[i] = b[i] - ax[i];
    return std::sqrt(norm2(r));
  }
};

double error(const Dense& system, const Numbers& b, const Numbers& x) {
  Numbers r;
  return system.exact(b, x, r);
}

template <class Krylov>
void run(Krylov& krylov, const Numbers& b, int most) {
  krylov.start(b);
  while (krylov.iteration() < most && !(krylov.residual() < 1e-12) && !krylov.stagnated()) krylov.step();
}

}  // namespace

TEST_CASE("three steps solve three equations") {
  Dense system{.a = {{4, 1, 0}, {-1, 3, 1}, {0.5, 0, 5}}};
  BiCgStab<Dense> krylov(system, 1e-12);
  const Numbers b = {{{1, 2}, {0, -1}, {3, 0}}};
  run(krylov, b, 10);
  CHECK(krylov.iteration() <= 4);
  CHECK(error(system, b, krylov.x()) < 1e-11);
  CHECK(krylov.restarts() == 0);
  CHECK(krylov.updates() >= 1);
  CHECK(krylov.drift(10) < 1e-14);
}

TEST_CASE("a source of 0 has the solution 0") {
  Dense system{.a = {{4, 1, 0}, {-1, 3, 1}, {0.5, 0, 5}}};
  BiCgStab<Dense> krylov(system, 1e-12);
  krylov.start({});
  CHECK(krylov.residual() == 0);
  krylov.step();
  CHECK(error(system, {}, krylov.x()) == 0);
}

TEST_CASE("a recursion that has gone astray is not believed") {
  // Its product is wrong by 1e-5, as in single precision; the exact residual is not.
  struct Rounded : Dense {
    void apply(Vector& out, Vector& hat, const Vector& in) const {
      Dense::apply(out, hat, in);
      out[0] = 1.00001 * out[0];
    }
  };
  Rounded system;
  const double a[3][3] = {{4, 1, 0}, {-1, 3, 1}, {0.5, 0, 5}};
  std::copy(&a[0][0], &a[0][0] + 9, &system.a[0][0]);
  BiCgStab<Rounded> krylov(system, 1e-12);
  const Numbers b = {{{1, 2}, {0, -1}, {3, 0}}};
  run(krylov, b, 40);
  CHECK(krylov.updates() > 1);
  CHECK(krylov.drift(10) > 1e-8);
  CHECK(error(system, b, krylov.x()) < 1e-11);
}

TEST_CASE("a matrix on which nothing can fall ends as stagnated, without NaN") {
  Dense system{.a = {{0, 1, 0}, {-1, 0, 0}, {0, 0, 0}}};
  BiCgStab<Dense> krylov(system, 1e-12);
  run(krylov, {{{1, 0}, {0, 0}, {0, 0}}}, 100000);
  CHECK(krylov.stagnated());
  CHECK(krylov.iteration() == 1000);
  CHECK(krylov.residual() == 1);
}

TEST_CASE("a breakdown in which rho is 0 starts anew") {
  // After one step r = (0, 3, -3), at right angles to r~ = b, in numbers without rounding.
  Dense system{.a = {{1, 2, 1}, {1, 3, 2}, {-2, 1, 1}}};
  BiCgStab<Dense> krylov(system, 1e-12);
  const Numbers b = {{{-2, 0}, {0, 0}, {0, 0}}};
  krylov.start(b);
  krylov.step();
  CHECK(krylov.r()[1].re == 3);
  CHECK(krylov.restarts() == 1);
  run(krylov, b, 200);
  CHECK(krylov.restarts() >= 1);
  CHECK(error(system, b, krylov.x()) < 1e-11);
}
