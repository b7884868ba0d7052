// Gram-Schmidt in blocks against its definition; mixing.
#include "numerics/dft/gram_schmidt.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <type_traits>

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

TEST_CASE_TEMPLATE("ranks that share points sum their products, and extra numbers follow", Scalar, double, Complex) {
  constexpr std::int64_t count = 13, points = 60, extra = 7, stride = points + extra;
  const std::vector<Scalar> first = bands<Scalar>(count, stride);
  std::vector<Scalar> exact;  // by the definition, the extra numbers by the same combinations
  {
    std::vector<Scalar> all = first;
    for (std::int64_t b = 0; b < count; ++b) {
      Scalar* const band = all.data() + b * stride;
      const auto product = [&](const Scalar* a) {
        Scalar sum = 0;
        for (std::int64_t i = 0; i < points; ++i) {
          if constexpr (std::is_same_v<Scalar, double>) {
            sum += a[i] * band[i];
          } else {
            sum += std::conj(a[i]) * band[i];
          }
        }
        return sum;
      };
      for (std::int64_t a = 0; a < b; ++a) {
        const Scalar* const other = all.data() + a * stride;
        const Scalar overlap = product(other);
        for (std::int64_t i = 0; i < stride; ++i) band[i] -= overlap * other[i];
      }
      const double scale = 1 / std::sqrt(size(product(band)));
      for (std::int64_t i = 0; i < stride; ++i) band[i] *= scale;
    }
    exact = all;
  }
  struct Counted : GramSchmidtWatch {
    void enter(GramSchmidtPart part, const Work& work) override {
      ++open;
      flop[static_cast<std::size_t>(part)] += work.flop;
    }
    void leave(GramSchmidtPart) override { --open; }
    int open = 0;
    std::array<std::int64_t, 5> flop{};
  } counted;
  // A rank whose sums are already those of all: what it hands in is whole.
  std::int64_t sums = 0;
  GramSchmidt<Scalar> orthonormalise([&](double*, std::size_t n) { sums += static_cast<std::int64_t>(n); }, count,
                                     &counted);
  std::vector<Scalar> all = first;
  CHECK(orthonormalise(count, points, extra, 1.0, all.data()));
  double worst = 0;
  for (std::size_t i = 0; i < all.size(); ++i) worst = std::max(worst, size(all[i] - exact[i]));
  CHECK(worst < 1e-12);
  CHECK(counted.open == 0);
  // Halves of 13, and of these, down to leaves of at most four: 6 x 7, 3 x 3 and 3 x 4 products between halves.
  constexpr std::int64_t pairs = 6 * 7 + 3 * 3 + 3 * 4, flop = std::is_same_v<Scalar, double> ? 2 : 8;
  CHECK(counted.flop[static_cast<std::size_t>(GramSchmidtPart::overlap)] == flop * pairs * points);
  CHECK(counted.flop[static_cast<std::size_t>(GramSchmidtPart::update)] == flop * pairs * stride);
  // Squares of all bands before and of each alone; products within leaves of 3, 3, 3 and 4, and between halves.
  constexpr std::int64_t numbers = std::is_same_v<Scalar, double> ? 1 : 2;
  CHECK(sums == count + count + numbers * (3 + 3 + 3 + 6 + pairs));
  CHECK(orthonormalise.least_left() > 1e-3);
  CHECK(orthonormalise.least_left() < 1);
}

TEST_CASE("a Cholesky factor makes bands orthonormal, and there is none of dependent ones") {
  constexpr std::int64_t count = 9, points = 40;
  std::vector<Complex> all = bands<Complex>(count, points), plain = all, products(count * count);
  gram_schmidt_plain(count, points, 1.0, plain.data());
  inner_products(points, count, count, 1.0, all.data(), points, all.data(), points, products.data(), count);
  CHECK(cholesky(count, products.data()));
  divide(points, count, products.data(), all.data(), points);
  double worst = 0;
  for (std::size_t i = 0; i < all.size(); ++i) worst = std::max(worst, size(all[i] - plain[i]));
  CHECK(worst < 1e-12);
  std::vector<Complex> indefinite{1, 0, 2, 1};  // [column][row]; its upper half is read
  CHECK_FALSE(cholesky(2, indefinite.data()));
}

TEST_CASE("at 640 bands in blocks of 64, nine tenths of the flop are in large products") {
  CHECK(large_product_share(640, 64) == doctest::Approx(0.9));
  CHECK(large_product_share(640, 640) == doctest::Approx(0.875));  // but the eight of 80, whose halves are small
  CHECK(large_product_share(640, 256) == doctest::Approx(0.9));    // but the ten of 64
  CHECK(large_product_share(60, 60) == 0);
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
