#include "kernel.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.hpp"
#include "freivalds.hpp"

namespace {

constexpr double alpha = 0.75;
constexpr double beta = 0.5;
constexpr double limit = 2.0;  // as in check.toml

std::vector<double> matrix(int n, int seed) {
  std::vector<double> elements;
  const tenken::RandomStream random(seed, 0);
  for (int i = 0; i < n * n; ++i) elements.push_back(random.uniform(i) - 0.5);
  return elements;
}

struct Problem {
  explicit Problem(int order) : n(order), a(matrix(n, 1)), b(matrix(n, 2)), c(matrix(n, 3)) {}
  dgemm::Freivalds freivalds(unsigned seed = 4) const { return {n, alpha, a.data(), b.data(), beta, c.data(), seed}; }

  int n;
  std::vector<double> a, b, c;
};

// A number that counts the operations done on it.
struct Counted {
  std::int64_t* flop;
};
Counted operator+(Counted x, Counted) {
  ++*x.flop;
  return x;
}
Counted operator*(Counted x, Counted) {
  ++*x.flop;
  return x;
}

}  // namespace

TEST_CASE("the BLAS equals the reference within the bound of rounding") {
  for (const int n : {1, 2, 3, 7, 16, 65, 130}) {
    Problem p(n);
    std::vector<double> expected = p.c;
    dgemm::reference(n, alpha, p.a.data(), p.b.data(), beta, expected.data());
    dgemm::multiply(n, alpha, p.a.data(), p.b.data(), beta, p.c.data());
    for (int i = 0; i < n * n; ++i) CHECK(std::abs(p.c[i] - expected[i]) <= 2.0 * n * 0.25 * (n + 2) * 0x1p-52);
  }
}

TEST_CASE("right products pass, call after call") {
  for (const int n : {1, 2, 33, 130}) {
    for (const auto kernel : {dgemm::multiply, dgemm::reference}) {
      Problem p(n);
      auto freivalds = p.freivalds();
      for (int call = 0; call < 4; ++call) {
        kernel(n, alpha, p.a.data(), p.b.data(), beta, p.c.data());
        CHECK(freivalds.residual(p.c.data()) <= limit);
      }
    }
  }
}

TEST_CASE("one wrong element, a lost call, a wrong factor and a NaN are caught, whatever the random vectors") {
  constexpr int n = 130;
  for (unsigned seed = 0; seed < 20; ++seed) {
    Problem p(n);
    auto lost = p.freivalds(seed);
    CHECK_FALSE(lost.residual(p.c.data()) <= limit);

    auto factor = p.freivalds(seed);
    std::vector<double> c = p.c;
    dgemm::multiply(n, alpha, p.a.data(), p.b.data(), 1.0, c.data());
    CHECK_FALSE(factor.residual(c.data()) <= limit);

    auto element = p.freivalds(seed);
    c = p.c;
    dgemm::multiply(n, alpha, p.a.data(), p.b.data(), beta, c.data());
    c[n * 17 + seed] += 1e-8;
    CHECK_FALSE(element.residual(c.data()) <= limit);

    c[n * 17 + seed] = std::numeric_limits<double>::quiet_NaN();
    auto poisoned = p.freivalds(seed);
    CHECK_FALSE(poisoned.residual(c.data()) <= limit);
    poisoned.residual(p.c.data());
    CHECK_FALSE(poisoned.worst() <= limit);
  }
}

TEST_CASE("work counts the multiplications and additions of A B, one by one, and nothing of order n^2") {
  for (const int n : {1, 2, 5}) {
    std::int64_t flop = 0;
    const Counted one{&flop};
    for (int i = 0; i < n * n; ++i) {
      Counted sum = one;
      for (int k = 0; k < n; ++k) sum = sum + one * one;
    }
    CHECK(dgemm::work(n).flop == flop);
    CHECK(dgemm::work(n).bytes_read == 8 * 3 * n * n);
    CHECK(dgemm::work(n).bytes_written == 8 * n * n);
  }
}
