// Tridiagonal systems and dense blocks.
#include <doctest/doctest.h>
#include <omp.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "base/random.hpp"
#include "numerics/block.hpp"
#include "numerics/plain.hpp"
#include "numerics/tridiagonal.hpp"
#include "testing/counting.hpp"

using namespace tenken;
using tenken::testing::Counted;
using tenken::testing::counted_flop;
using tenken::testing::Watched;

namespace {

template <class Real>
std::vector<Real> numbers(std::int64_t n, std::uint64_t stream, double shift) {
  const RandomStream random(11, stream);
  std::vector<Real> x(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<Real>(random.uniform(i) - 0.5 + shift);
  return x;
}

template <int n>
Block<double, n> random_block(std::uint64_t seed) {
  const RandomStream random(seed, n);
  Block<double, n> a;
  for (std::size_t i = 0; i < a.at.size(); ++i) a.at[i] = random.uniform(i) - 0.5;
  return a;
}

template <int n>
void check_blocks() {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Block<double, n> a = random_block<n>(seed);
    const Lu<double, n> lu(a);
    REQUIRE_FALSE(lu.singular());
    const Block<double, n> inverse = lu.inverse();
    double largest = 0, error = 0;
    for (const double v : inverse.at) largest = std::max(largest, std::abs(v));
    for (int j = 0; j < n; ++j) {
      double column[n], product[n] = {};
      for (int i = 0; i < n; ++i) column[i] = inverse(i, j);
      multiply_add(a, column, product);
      for (int i = 0; i < n; ++i) error = std::max(error, std::abs(product[i] - (i == j)));
    }
    CHECK(error <= 1e-14 * std::max(largest, 1.0));
  }
}

}  // namespace

TEST_CASE_TEMPLATE("tridiagonal systems agree with the plain twin, any number, on any threads", Real, double, float) {
  for (const std::int64_t systems : {1, 63, 64, 65, 300}) {
    for (const std::int64_t rows : {1, 2, 3, 40}) {
      const std::int64_t n = systems * rows;
      const auto lower = numbers<Real>(n, 1, 0), diagonal = numbers<Real>(n, 2, 2), upper = numbers<Real>(n, 3, 0);
      const auto right = numbers<Real>(n, 4, 0);
      auto expected = right, scaled = upper;
      for (std::int64_t s = 0; s < systems; ++s) {
        plain::solve_tridiagonal<Real>(rows, s, systems, lower, diagonal, scaled, expected);
      }
      for (const int threads : {1, 2, 5}) {
        omp_set_num_threads(threads);
        auto x = right;
        solve({systems, rows, lower.data(), diagonal.data(), upper.data()}, x.data());
        std::int64_t wrong = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
          wrong += !(std::abs(x[i] - expected[i]) <= 8 * std::numeric_limits<Real>::epsilon());
        }
        CHECK(wrong == 0);
      }
    }
  }
  omp_set_num_threads(omp_get_num_procs());
}

TEST_CASE("the second difference gives the sines of its eigenvectors back, against their direct sum") {
  // -x_(k-1) + 2 x_k - x_(k+1) = b with b the sum of two sines: the solution is the sum of these over their eigenvalues
  // 2 - 2 cos(j pi / (n + 1)).
  constexpr std::int64_t rows = 99, systems = 70;
  const std::vector<double> off(rows * systems, -1), on(rows * systems, 2);
  std::vector<double> x(rows * systems), expected(rows * systems);
  for (std::int64_t k = 0; k < rows; ++k) {
    for (std::int64_t s = 0; s < systems; ++s) {
      for (const double j : {1.0 + static_cast<double>(s), 99.0 - static_cast<double>(s)}) {
        const double sine = std::sin(std::numbers::pi * j * static_cast<double>(k + 1) / (rows + 1));
        x[static_cast<std::size_t>(k * systems + s)] += sine;
        expected[static_cast<std::size_t>(k * systems + s)] +=
            sine / (2 - 2 * std::cos(std::numbers::pi * j / (rows + 1)));
      }
    }
  }
  solve({systems, rows, off.data(), on.data(), off.data()}, x.data());
  double error = 0;
  // Relative to the largest, 1 / (2 - 2 cos(pi / 100)) = 1013.
  for (std::size_t i = 0; i < x.size(); ++i) error = std::max(error, std::abs(x[i] - expected[i]) / 1013);
  CHECK(error <= 1e-12);
}

TEST_CASE("the stated work of a tridiagonal system is counted") {
  for (const std::int64_t rows : {1, 2, 9}) {
    const auto n = static_cast<std::size_t>(rows);
    Watched<Counted> lower(n, 1.0), diagonal(n, 4.0), upper(n, 1.0), x(n, 1.0);
    counted_flop = 0;
    plain::solve_tridiagonal<Counted>(rows, 0, 1, lower, diagonal, upper, x);
    CHECK(tridiagonal_work(1, rows, 8) ==
          Work{.flop = counted_flop,
               .bytes_read = 8 * (lower.read() + diagonal.read() + upper.read() + x.read()),
               .bytes_written = 8 * x.written()});
  }
}

TEST_CASE("inverse times block is the identity, for every size") {
  check_blocks<1>();
  check_blocks<2>();
  check_blocks<3>();
  check_blocks<4>();
  check_blocks<5>();
  check_blocks<6>();
  check_blocks<7>();
  check_blocks<8>();
}

TEST_CASE("a zero pivot is exchanged, a singular block is said") {
  const Block<double, 3> swapped{{0, 2, 0, 0, 0, 3, 4, 0, 0}};
  double b[] = {2, 6, 12};
  const Lu<double, 3> lu(swapped);
  CHECK_FALSE(lu.singular());
  lu.solve(b);
  CHECK(b[0] == 3);
  CHECK(b[1] == 1);
  CHECK(b[2] == 2);
  CHECK(Lu<double, 3>(Block<double, 3>{{1, 2, 3, 2, 4, 6, 1, 0, 1}}).singular());
  CHECK(Lu<double, 2>(Block<double, 2>{{std::nan(""), 1, 1, 1}}).singular());
}

TEST_CASE("the stated work of block times vector is counted") {
  Watched<Counted> a(9), x(3), y(3);
  counted_flop = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) y[i] += a[3 * i + j] * x[j];
  }
  CHECK(multiply_add_work(1, 3, 8) == Work{.flop = counted_flop,
                                           .bytes_read = 8 * (a.read() + x.read() + y.read()),
                                           .bytes_written = 8 * y.written()});
}
