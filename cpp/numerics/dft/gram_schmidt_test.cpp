// Gram-Schmidt in blocks against its definition; mixing.
#include "numerics/dft/gram_schmidt.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "base/random.hpp"
#include "numerics/dft/linear_algebra.hpp"
#include "numerics/dft/mixing.hpp"

using namespace tenken;
using namespace tenken::dft;

namespace {

template <class Scalar>
std::vector<Scalar> bands(std::int64_t count, std::int64_t points) {
  const RandomStream random(9, 4);
  std::vector<Scalar> all(static_cast<std::size_t>(count * points));
  auto* const numbers = reinterpret_cast<double*>(all.data());
  const std::size_t n = all.size() * sizeof(Scalar) / sizeof(double);
  for (std::size_t i = 0; i < n; ++i) numbers[i] = random.uniform(i) - 0.3;  // not near orthogonal
  return all;
}

double size(double x) { return std::abs(x); }
double size(Complex x) { return std::abs(x); }

}  // namespace

TEST_CASE_TEMPLATE("blocks give the bands of the definition, orthonormal", Scalar, double, Complex) {
  for (const auto& [count, points, block] :
       {std::array<std::int64_t, 3>{1, 50, 16}, {7, 40, 4}, {37, 200, 16}, {64, 300, 256}, {20, 20, 8}}) {
    const double weight = 0.37;
    const std::vector<Scalar> first = bands<Scalar>(count, points);
    std::vector<Scalar> fast = first, plain = first;
    GramSchmidt<Scalar> orthonormalise(block);
    CHECK(orthonormalise(count, points, weight, fast.data()));
    gram_schmidt_plain(count, points, weight, plain.data());
    const bool square = count == points;  // there the last bands hang on rounding
    for (std::size_t i = 0; i < fast.size(); ++i) CHECK(size(fast[i] - plain[i]) < (square ? 1e-9 : 1e-12));
    std::vector<Scalar> overlap(static_cast<std::size_t>(count * count));
    inner_products(points, count, count, weight, fast.data(), points, fast.data(), points, overlap.data(), count);
    for (std::int64_t i = 0; i < count; ++i)
      for (std::int64_t j = 0; j < count; ++j)
        CHECK(size(overlap[static_cast<std::size_t>(i + j * count)] - Scalar(i == j)) < (square ? 1e-10 : 1e-12));
  }
}

TEST_CASE_TEMPLATE("threads that share the rows give the same bands", Scalar, double, Complex) {
  for (const int threads : {1, 2, 3, 5}) {
    constexpr std::int64_t count = 23, points = 111;
    std::vector<Scalar> shared = bands<Scalar>(count, points), alone = shared;
    CHECK(GramSchmidt<Scalar>(8)(count, points, 0.37, alone.data()));
    RowTeam team(threads);
    int independent = 0;
#pragma omp parallel num_threads(threads) reduction(+ : independent)
    {
      if (GramSchmidt<Scalar>(team, 8)(count, points, 0.37, shared.data())) independent = 1;
    }
    CHECK(independent == threads);
    double worst = 0;
    for (std::size_t i = 0; i < shared.size(); ++i) worst = std::max(worst, size(shared[i] - alone[i]));
    CHECK(worst < 1e-12);
  }
}

TEST_CASE("a band that depends on others is told") {
  std::vector<Complex> some = bands<Complex>(12, 60);
  for (std::size_t i = 0; i < 60; ++i) some[8 * 60 + i] = 2.0 * some[60 + i] - Complex{0, 1} * some[5 * 60 + i];
  CHECK_FALSE(GramSchmidt<Complex>(8)(12, 60, 1.0, some.data()));
}

TEST_CASE("a linear problem is solved in as many mixed steps as it has directions") {
  // out = fixed + m (in - fixed), m symmetric with eigenvalues beyond 1: plain mixing would not converge.
  const std::vector<double> fixed{1, -2, 3, 0.5};
  const double slopes[4]{-2.5, -0.4, 0.3, -1.2};
  AndersonMixing mixing(8, 0.7);
  std::vector<double> in(4, 0.0);
  for (int step = 0; step < 7; ++step) {
    std::vector<double> out(4);
    for (std::size_t i = 0; i < 4; ++i) out[i] = fixed[i] + slopes[i] * (in[i] - fixed[i]);
    in = mixing.next(in, out);
  }
  for (std::size_t i = 0; i < 4; ++i) CHECK(std::abs(in[i] - fixed[i]) < 1e-9);
}
