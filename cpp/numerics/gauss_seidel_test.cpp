#include "numerics/gauss_seidel.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

using namespace tenken;

namespace {

constexpr int others = 5;

// An unsymmetric matrix of rows on a line, each coupled to those up to three away and some to columns beyond the rows.
Csr<double> line_of(int rows) {
  std::vector<Entry> entries;
  for (int i = 0; i < rows; ++i) {
    for (int j = std::max(0, i - 3); j <= std::min(rows - 1, i + 3); ++j) {
      if (i != j && (i + j) % 5 == 3) continue;
      entries.push_back({i, j, i == j ? 9.0 + i % 4 : -1.0 + 0.1 * ((i * 7 + j * 3) % 5)});
    }
    if (i % 6 == 1) entries.push_back({i, rows + i % others, -0.5});
  }
  return csr_from(rows, rows + others, entries).first;
}

// Colours by distance: rows four apart do not touch. The last ones may be missing.
Ordering every_fourth(int rows) {
  Ordering colours;
  colours.begin.push_back(0);
  for (const int colour : {2, 0, 3, 1}) {
    for (int i = colour; i < rows; i += 4) colours.order.push_back(i);
    colours.begin.push_back(static_cast<std::int64_t>(colours.order.size()));
  }
  return colours;
}

double number(std::int64_t i, int seed) { return std::sin(1.0 + static_cast<double>(i) * (0.7 + seed)); }

struct Case {
  int rows;
  Csr<double> a = line_of(rows);
  Ordering colours = every_fourth(rows);
  std::vector<double> r, x;  // in the order of the matrix; x with the values of others

  explicit Case(int n) : rows(n) {
    for (int i = 0; i < rows; ++i) r.push_back(number(i, 1));
    for (int i = 0; i < rows + others; ++i) x.push_back(number(i, 2));
  }

  double row_times(std::int64_t i, const std::vector<double>& v) const {
    double sum = 0;
    for (std::int64_t n = a.row(i).first; n < a.row(i).last; ++n) {
      sum += a.value[static_cast<std::size_t>(n)] * v[static_cast<std::size_t>(a.column[static_cast<std::size_t>(n)])];
    }
    return sum;
  }
  // The plain twin: row by row in the order of the colours, then backwards.
  std::vector<double> swept(std::vector<double> v) const {
    const auto relax = [&](std::int32_t i) {
      v[static_cast<std::size_t>(i)] += (r[static_cast<std::size_t>(i)] - row_times(i, v)) / *find_entry(a, i, i);
    };
    for (auto at = colours.order.begin(); at != colours.order.end(); ++at) relax(*at);
    for (auto at = colours.order.rbegin(); at != colours.order.rend(); ++at) relax(*at);
    return v;
  }
  Buffer<double> placed(const GaussSeidel& g, const std::vector<double>& v) const {
    Buffer<double> out = g.vector("a vector of a test");
    for (std::size_t i = 0; i < v.size(); ++i) out[static_cast<std::size_t>(g.place(static_cast<int>(i)))] = v[i];
    return out;
  }
};

constexpr int sizes[] = {1, 3, 4, 17, 64, 201};
constexpr int widths[] = {1, 2, 8, 32};

}  // namespace

TEST_CASE("a sweep is that of the plain twin, whatever the width of chunks") {
  for (const int rows : sizes) {
    const Case test(rows);
    const std::vector<double> expected = test.swept(test.x);
    for (const int c : widths) {
      const GaussSeidel g(test.a, test.colours, c);
      const Buffer<double> r = test.placed(g, test.r);
      Buffer<double> x = test.placed(g, test.x), rest = g.vector("r - L x");
      for (int colour = 0; colour < g.colours(); ++colour) g.forward(g.colour(colour), r.data(), x.data(), rest.data());
      double rx = 0;
      for (int colour = g.colours() - 1; colour >= 0; --colour) {
        rx += g.backward(g.colour(colour), rest.data(), r.data(), x.data());
      }
      double wanted = 0;
      for (int i = 0; i < rows + others; ++i) {
        CHECK(std::abs(x[static_cast<std::size_t>(g.place(i))] - expected[static_cast<std::size_t>(i)]) < 1e-13);
        if (i < rows) wanted += test.r[static_cast<std::size_t>(i)] * expected[static_cast<std::size_t>(i)];
      }
      CHECK(rx == doctest::Approx(wanted).epsilon(1e-12));
    }
  }
}

TEST_CASE("a sweep from zero is one that begins with zero") {
  for (const int rows : sizes) {
    const Case test(rows);
    const std::vector<double> expected = test.swept(std::vector<double>(test.x.size()));
    for (const int c : widths) {
      const GaussSeidel g(test.a, test.colours, c);
      const Buffer<double> r = test.placed(g, test.r);
      // What is there of own rows is not looked at.
      Buffer<double> x = test.placed(g, test.x);
      std::fill(x.begin() + g.padded(), x.end(), 0.0);
      std::fill(x.begin(), x.begin() + g.padded(), 0.0);
      for (int colour = 0; colour < g.colours(); ++colour) g.forward_from_zero(g.colour(colour), r.data(), x.data());
      for (int colour = g.colours() - 1; colour >= 0; --colour) g.backward_from_zero(g.colour(colour), x.data());
      for (int i = 0; i < rows; ++i) {
        CHECK(std::abs(x[static_cast<std::size_t>(g.place(i))] - expected[static_cast<std::size_t>(i)]) < 1e-13);
      }
    }
  }
}

TEST_CASE("product and residual are those of the assembled matrix, also with a scaled diagonal") {
  for (const int rows : sizes) {
    const Case test(rows);
    for (const int c : widths) {
      GaussSeidel g(test.a, test.colours, c);
      const Buffer<double> x = test.placed(g, test.x), r = test.placed(g, test.r);
      Buffer<double> y = g.vector("a product");
      std::vector<double> by(static_cast<std::size_t>(rows), 3.0), out(static_cast<std::size_t>(g.padded()));
      std::vector<std::int32_t> to;
      for (std::int64_t place = 0; place < g.padded(); ++place) to.push_back(static_cast<std::int32_t>(place));
      for (const double scale : {1.0, 3.0}) {
        if (scale > 1) g.scale_diagonal(by.data());
        double dot = 0, wanted = 0;
        for (int colour = 0; colour < g.colours(); ++colour) dot += g.multiply(g.colour(colour), x.data(), y.data());
        g.residual({0, g.padded() / c}, r.data(), x.data(), 0, to.data(), out.data());
        for (int i = 0; i < rows; ++i) {
          const auto at = static_cast<std::size_t>(i), place = static_cast<std::size_t>(g.place(i));
          const double expected = test.row_times(i, test.x) + (scale - 1) * *find_entry(test.a, i, i) * test.x[at];
          CHECK(std::abs(y[place] - expected) < 1e-12);
          CHECK(std::abs(out[place] - (test.r[at] - expected)) < 1e-12);
          wanted += test.x[at] * expected;
        }
        CHECK(dot == doctest::Approx(wanted).epsilon(1e-12));
      }
    }
  }
}

TEST_CASE("colours that touch, missing diagonals and odd widths are refused") {
  const Case test(17);
  Ordering two = test.colours;
  two.begin.erase(two.begin.begin() + 1);
  CHECK_THROWS_WITH_AS(GaussSeidel(test.a, two, 4), doctest::Contains("touch and both have colour"), UserError);
  const Csr<double> hollow = csr_from(2, 2, std::vector<Entry>{{0, 0, 1.0}, {1, 0, 1.0}}).first;
  Ordering apart{{0, 1}, {0, 1, 2}};
  CHECK_THROWS_WITH_AS(GaussSeidel(hollow, apart, 4), doctest::Contains("no diagonal entry in row 1"), UserError);
  CHECK_THROWS_WITH_AS(GaussSeidel(test.a, test.colours, 3), doctest::Contains("chunks of 3 rows"), UserError);
}
