#include "numerics/incomplete_cholesky.hpp"

#include <doctest/doctest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/random.hpp"
#include "numerics/eisenstat.hpp"
#include "numerics/plain.hpp"
#include "numerics/poisson.hpp"
#include "testing/counting.hpp"

using namespace tenken;

namespace {

std::size_t at(std::int64_t n) { return static_cast<std::size_t>(n); }

Csr<double> symmetric(std::int32_t n, std::vector<Entry> lower) {
  const std::size_t given = lower.size();
  for (std::size_t k = 0; k < given; ++k) {
    if (lower[k].row != lower[k].column) lower.push_back({lower[k].column, lower[k].row, lower[k].value});
  }
  return csr_from(n, n, lower).first;
}

// Rows on a line that touch their next three neighbours and some random rows, with dominant diagonals from 1e-3 to 1e3.
Csr<double> random_matrix(std::int32_t n) {
  const RandomStream random(4, 2);
  std::vector<Entry> entries;
  std::vector<double> sum(at(n));
  std::uint64_t draw = 0;
  for (std::int32_t i = 0; i < n; ++i) {
    for (std::int32_t j = 0; j < i; ++j) {
      if (i - j > 3 && random.uniform(draw++) > 2.0 / n) continue;
      const double value = random.uniform(draw++) - 0.5;
      entries.push_back({i, j, value});
      sum[at(i)] += std::abs(value);
      sum[at(j)] += std::abs(value);
    }
  }
  const auto root = [](std::int32_t i) { return std::pow(10.0, (i % 7 - 3) / 2.0); };
  for (Entry& e : entries) e.value *= root(e.row) * root(e.column);
  for (std::int32_t i = 0; i < n; ++i) entries.push_back({i, i, 1.02 * sum[at(i)] * root(i) * root(i)});
  return symmetric(n, entries);
}

// D. S. Kershaw, J. Comput. Phys. 26 (1978) 43: positive definite, with the pivots 3, 5/3, 3/5 and -5.
Csr<double> kershaw() {
  return symmetric(4, {{0, 0, 3}, {1, 1, 3}, {2, 2, 3}, {3, 3, 3}, {1, 0, -2}, {2, 1, -2}, {3, 2, -2}, {3, 0, 2}});
}

// The same with an added row that makes triangles with rows 0 and 1.
Csr<double> kershaw_with_triangle() {
  return symmetric(5, {{0, 0, 3},
                       {1, 1, 3},
                       {2, 2, 3},
                       {3, 3, 3},
                       {1, 0, -2},
                       {2, 1, -2},
                       {3, 2, -2},
                       {3, 0, 2},
                       {4, 4, 1},
                       {4, 0, 0.01},
                       {4, 1, 0.01}});
}

// The plain twin, by places: IC(0) of A with a raised diagonal.
struct Twin {
  std::int64_t n;
  std::vector<double> w;

  Twin(const Csr<double>& a, const Coloured& m, double shift) : n(m.padded), w(at(n * n)) {
    const auto entry = [&](std::int64_t i, std::int64_t j) -> const double* {
      const std::int32_t row = m.row[at(i)], column = m.row[at(j)];
      return row < 0 || column < 0 ? nullptr : find_entry(a, row, column);
    };
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j <= i; ++j) {
        const double* const found = entry(i, j);
        w[at(i * n + j)] = (found == nullptr ? (i == j ? 1.0 : 0.0) : *found) * (i == j ? 1 + shift : 1);
      }
    }
    plain::incomplete_cholesky(n, w, [&](std::int64_t i, std::int64_t j) { return entry(i, j) != nullptr; });
  }
  double operator()(std::int64_t i, std::int64_t j) const { return w[at(i * n + j)]; }
  double least_pivot() const {
    double least = w[0];
    for (std::int64_t i = 0; i < n; ++i) least = std::min(least, (*this)(i, i));
    return least;
  }
};

// use(i, j, factor) for the entries of a triangle; padding has the factor 0.
template <class Use>
void on_entries(const Coloured& m, const Triangle& t, const Use& use) {
  for (std::int64_t i = 0; i < m.padded; ++i) {
    for (std::int64_t slot = t.begin[at(i / m.c)]; slot < t.begin[at(i / m.c) + 1]; ++slot) {
      const std::size_t n = at(slot * m.c + i % m.c);
      use(i, std::int64_t{t.column[n]}, t.factors()[n]);
    }
  }
}

// The largest difference between a factor and its twin, relative to the roots of the diagonals.
double difference(const Coloured& m, const Twin& twin) {
  double worst = 0;
  std::int64_t entries = 0;
  const auto note = [&](std::int64_t i, std::int64_t j, double value) {
    if (value == 0) return;
    ++entries;
    const double error = std::abs(value - twin(std::max(i, j), std::min(i, j)));
    worst = std::max(worst, error / std::sqrt(m.diagonal[at(i)] * m.diagonal[at(j)]));
  };
  on_entries(m, m.lower, note);
  on_entries(m, m.upper, note);
  CHECK(entries == m.lower.entries + m.upper.entries);
  for (std::int64_t i = 0; i < m.padded; ++i) {
    worst = std::max(worst, std::abs(1 - m.inverse[at(i)] * twin(i, i)));
  }
  return worst;
}

}  // namespace

TEST_CASE("the factor is the plain twin's, for colours and levels, chunks, windows and threads") {
  const Csr<double> a = random_matrix(90);
  CHECK_FALSE(without_triangles(a));
  for (const Ordering& order : {greedy_colours(a), greedy_colours(a, cuthill_mckee(a).order), natural_levels(a)}) {
    for (const int c : {1, 2, 8}) {
      for (const int threads : {1, 3}) {
        omp_set_num_threads(threads);
        Coloured m = make_coloured(a, order, c, 2 * c);
        CHECK(m.shift == 0);
        CHECK(difference(m, Twin(a, m, 0)) < 1e-13);
        raise_shift(m, 0.25);
        CHECK(m.shift == 0.25);
        CHECK(difference(m, Twin(a, m, 0.25)) < 1e-13);
        raise_shift(m, 0);
        CHECK(difference(m, Twin(a, m, 0)) < 1e-13);
      }
    }
  }
}

TEST_CASE("M has the entries of A in the places of A, and raised diagonals") {
  const Csr<double> a = random_matrix(70);
  Coloured m = make_coloured(a, greedy_colours(a), 4);
  raise_shift(m, 0.125);
  const std::int64_t n = m.padded;
  std::vector<double> lower(at(n * n));  // L + E
  for (std::int64_t i = 0; i < n; ++i) lower[at(i * n + i)] = 1 / m.inverse[at(i)];
  on_entries(m, m.lower, [&](std::int64_t i, std::int64_t j, double value) {
    if (value != 0) lower[at(i * n + j)] = value;
  });
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j <= i; ++j) {
      const std::int32_t row = m.row[at(i)], column = m.row[at(j)];
      const double* const found = row < 0 || column < 0 ? nullptr : find_entry(a, row, column);
      if (found == nullptr) continue;
      double sum = 0;
      for (std::int64_t k = 0; k <= j; ++k) sum += lower[at(i * n + k)] * lower[at(j * n + k)] * m.inverse[at(k)];
      const double expected = *found * (i == j ? 1.125 : 1);
      CHECK(std::abs(sum - expected) < 1e-14 * std::sqrt(m.diagonal[at(i)] * m.diagonal[at(j)]));
    }
  }
}

TEST_CASE("levels of the matrix's order give the factor of that order, colours another") {
  const Csr<double> a = random_matrix(80);
  std::vector<double> natural(at(80 * 80));
  for (std::int64_t i = 0; i < 80; ++i) {
    for (auto n = a.row(i).first; n < a.row(i).last; ++n) natural[at(i * 80 + a.column[at(n)])] = a.value[at(n)];
  }
  plain::incomplete_cholesky(80, natural,
                             [&](std::int64_t i, std::int64_t j) { return find_entry(a, i, j) != nullptr; });
  const auto worst = [&](const Ordering& order) {
    const Coloured m = make_coloured(a, order, 8);
    double error = 0;
    for (std::int64_t i = 0; i < m.padded; ++i) {
      const std::int64_t row = m.row[at(i)];
      if (row >= 0) error = std::max(error, std::abs(1 - m.inverse[at(i)] * natural[at(row * 80 + row)]));
    }
    return error;
  };
  CHECK(colouring_error(a, natural_levels(a)) == "");
  CHECK(worst(natural_levels(a)) < 1e-13);
  CHECK(worst(greedy_colours(a)) > 1e-3);
}

TEST_CASE("without fill the factor is complete: M is A") {
  // Three rows each, whose last row is the first of the next three: elimination in order fills nothing.
  std::vector<Entry> entries;
  constexpr std::int32_t n = 41;
  for (std::int32_t i = 0; i < n; ++i) entries.push_back({i, i, 4.0 + i % 3});
  for (std::int32_t i = 0; i + 2 < n; i += 2) {
    entries.insert(entries.end(), {{i + 1, i, -1.5}, {i + 2, i, 0.5}, {i + 2, i + 1, -1.0}});
  }
  const Csr<double> a = symmetric(n, entries);
  const Coloured m = make_coloured(a, natural_levels(a));
  std::vector<double> x(at(m.padded)), r(x.size()), z(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = m.row[i] < 0 ? 0 : std::sin(m.row[i]);
  multiply({0, m.chunks()}, m, x.data(), r.data());
  for (int colour = 0; colour < m.colours(); ++colour) forward(chunks_of(m, colour, 0, 1), m, r.data(), z.data());
  for (int colour = m.colours() - 1; colour >= 0; --colour) backward(chunks_of(m, colour, 0, 1), m, z.data());
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(z[i] == doctest::Approx(x[i]).epsilon(1e-13));
}

TEST_CASE("where no three rows touch the triangles of A are the factor, and nothing is stored twice") {
  const Csr<double> a = poisson_matrix(5, 4, 6);
  const Coloured m = make_coloured(a, cm_rcm(a, 4));
  CHECK(m.lower.factor.size() == 0);
  CHECK(m.lower.factors() == m.lower.value.data());
  CHECK(difference(m, Twin(a, m, 0)) < 1e-13);
  CHECK(Eisenstat(m).rest().slots() == 0);
}

TEST_CASE("a published breakdown is passed by the first shift of the search that makes all pivots positive") {
  for (const Csr<double>& a : {kershaw(), kershaw_with_triangle()}) {
    Coloured m = make_coloured(a, natural_levels(a), 1);
    CHECK(Twin(a, m, 0).least_pivot() == doctest::Approx(-5));
    CHECK(Twin(a, m, m.shift / 2).least_pivot() < 0);
    CHECK(Twin(a, m, m.shift).least_pivot() > 0);
    CHECK(m.shift == 256 * first_shift);
    CHECK(difference(m, Twin(a, m, m.shift)) < 1e-13);
    raise_shift(m, 0.1);  // too small: doubled
    CHECK(m.shift == 0.2);
    CHECK(difference(m, Twin(a, m, 0.2)) < 1e-13);
  }
}

TEST_CASE("M-matrices need no shift, whatever their scale, and an indefinite matrix gets a factor too") {
  const Csr<double> m_matrix = poisson_matrix(6, 6, 6);
  CHECK(make_coloured(m_matrix, natural_levels(m_matrix)).shift == 0);
  const Csr<double> indefinite = symmetric(3, {{0, 0, 1}, {1, 1, 1}, {2, 2, 1}, {1, 0, 5}, {2, 1, 4}});
  const Coloured m = make_coloured(indefinite, natural_levels(indefinite));
  CHECK(m.shift > 5);
  CHECK(m.shift <= 2 * 9);
}

TEST_CASE("rows scaled by powers of two give the scaled factor bit for bit, far beyond the range of squares") {
  const Csr<double> a = random_matrix(60);
  for (const int by : {1, 30, 300, -300}) {
    Csr<double> b = random_matrix(60);
    const auto power = [by](std::int64_t i) { return by == 30 ? (i % 5 - 2) * by : by; };
    for (std::int64_t i = 0; i < b.rows; ++i) {
      for (auto n = b.row(i).first; n < b.row(i).last; ++n) {
        b.value[at(n)] = std::ldexp(b.value[at(n)], static_cast<int>(power(i) + power(b.column[at(n)])));
      }
    }
    const Ordering order = greedy_colours(a);
    const Coloured of_a = make_coloured(a, order, 4), of_b = make_coloured(b, order, 4);
    CHECK(of_b.shift == of_a.shift);
    for (std::int64_t i = 0; i < of_a.padded; ++i) {
      if (of_a.row[at(i)] < 0) continue;
      CHECK(of_b.inverse[at(i)] == std::ldexp(of_a.inverse[at(i)], static_cast<int>(-2 * power(of_a.row[at(i)]))));
    }
    std::vector<double> factors;
    on_entries(of_a, of_a.lower, [&](std::int64_t, std::int64_t, double value) { factors.push_back(value); });
    std::size_t n = 0;
    on_entries(of_b, of_b.lower, [&](std::int64_t i, std::int64_t j, double value) {
      const double expected = factors[n++];
      if (expected == 0) return;
      CHECK(value == std::ldexp(expected, static_cast<int>(power(of_a.row[at(i)]) + power(of_a.row[at(j)]))));
    });
  }
}

TEST_CASE("rows in a wrong colour are taken by place on any number of threads") {
  const Csr<double> a = random_matrix(50);
  Ordering order = greedy_colours(a);
  ++order.begin[1];  // a row too many in the first colour
  CHECK(colouring_error(a, order) != "");
  omp_set_num_threads(3);
  const Coloured m = make_coloured(a, order, 2);
  CHECK(difference(m, Twin(a, m, 0)) < 1e-13);
}

TEST_CASE("rows of very different length are factorised") {
  constexpr std::int32_t n = 200;
  std::vector<Entry> entries;
  for (std::int32_t i = 0; i < n; ++i) {
    entries.push_back({i, i, i == 70 ? 90.0 : 3.0});
    if (i > 0 && i != 70 && i != 71) entries.push_back({i, i - 1, -1.0});
    if (i != 70) entries.push_back({std::max(i, 70), std::min(i, 70), 0.3});
  }
  const Csr<double> a = symmetric(n, entries);
  for (const Ordering& order : {greedy_colours(a), natural_levels(a)}) {
    const Coloured m = make_coloured(a, order, 4);
    CHECK(difference(m, Twin(a, m, m.shift)) < 1e-13);
  }
}

TEST_CASE("what has no factor is refused: no positive diagonal, entries that are not finite") {
  const Csr<double> zero = symmetric(2, {{0, 0, 1}, {1, 1, 0}, {1, 0, 1}});
  CHECK_THROWS_WITH_AS(make_coloured(zero, natural_levels(zero)),
                       "the matrix has no positive diagonal entry in row 2, so it is not positive definite: for x = 1 "
                       "in that row alone x.A x is not positive",
                       UserError);
  for (const double value : {std::numeric_limits<double>::infinity(), std::nan(""), 1e308}) {
    const Csr<double> bad = symmetric(2, {{0, 0, 1e-300}, {1, 1, 1e-300}, {1, 0, value}});
    CHECK_THROWS_WITH_AS(make_coloured(bad, natural_levels(bad)),
                         "the matrix has entries that are no finite numbers, or so far apart that no factor can be "
                         "computed; scale its rows and columns",
                         UserError);
  }
}

TEST_CASE("Eisenstat's form states the work of the part of A that the factor lacks, and agrees with the plain twin") {
  using testing::Counted;
  using testing::Watched;
  const Csr<double> a = random_matrix(40);
  const Coloured m = make_coloured(a, greedy_colours(a), 1);
  const Eisenstat form(m);
  const std::int64_t n = m.padded;
  const auto root = [&](std::int64_t i) { return std::sqrt(m.inverse[at(i)]); };
  struct Rows {
    std::vector<std::int64_t> begin{0}, column;
    std::vector<Counted> value;
  } lower, rest;
  std::vector<double> p(at(n)), t(at(n)), v(at(n));
  std::vector<Counted> shift;
  for (std::int64_t i = 0; i < n; ++i) {
    for (const Triangle* triangle : {&m.lower, &m.upper}) {
      for (auto k = at(triangle->begin[at(i)]); k < at(triangle->begin[at(i) + 1]); ++k) {
        const std::int64_t j = triangle->column[k];
        const double scale = root(i) * root(j), factor = triangle->factors()[k];
        if (triangle == &m.lower) lower.column.push_back(j), lower.value.emplace_back(factor * scale);
        if (triangle->value[k] == factor) continue;
        rest.column.push_back(j);
        rest.value.emplace_back((factor - triangle->value[k]) * scale);
      }
    }
    lower.begin.push_back(static_cast<std::int64_t>(lower.column.size()));
    rest.begin.push_back(static_cast<std::int64_t>(rest.column.size()));
    shift.emplace_back(m.diagonal[at(i)] * m.inverse[at(i)] - 2);
    p[at(i)] = std::sin(static_cast<double>(i));
    t[at(i)] = std::cos(static_cast<double>(3 * i));
  }
  CHECK(rest.column.size() > lower.column.size() / 2);
  Watched<Counted> of_p({p.begin(), p.end()}), of_t({t.begin(), t.end()}), of_v(at(n)), of_shift(shift);
  testing::counted_flop = 0;
  const Counted dot = plain::sweep_on<Counted>(n, lower, rest, of_shift, of_p, of_t, of_v);
  const auto couplings = static_cast<std::int64_t>(lower.column.size() + rest.column.size());
  CHECK(form.forward_work() ==
        Work{.flop = testing::counted_flop,
             .bytes_read = 12 * couplings + 8 * (n + 1) + 8 * (of_p.read() + of_t.read() + of_shift.read()),
             .bytes_written = 8 * of_v.written()});
  double pw = 0;
  for (int colour = 0; colour < m.colours(); ++colour) {
    pw += form.forward(chunks_of(m, colour, 0, 1), p.data(), t.data(), v.data());
  }
  CHECK(pw == doctest::Approx(dot.value).epsilon(1e-12));
  for (std::int64_t i = 0; i < n; ++i) {
    CHECK(static_cast<Counted>(of_v[i]).value == doctest::Approx(v[at(i)]).epsilon(1e-12));
  }
}
