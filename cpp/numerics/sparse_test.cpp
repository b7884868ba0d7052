#include <doctest/doctest.h>
#include <omp.h>

#include <set>
#include <string>

#include "base/error.hpp"
#include "base/random.hpp"
#include "numerics/csr.hpp"
#include "numerics/plain.hpp"
#include "numerics/poisson.hpp"
#include "numerics/sell.hpp"
#include "testing/counting.hpp"

using namespace tenken;
using tenken::testing::Counted;
using tenken::testing::counted_flop;
using tenken::testing::Watched;

namespace {

// Rows of 0 to 12 entries at random places.
template <class Real>
Csr<Real> random_matrix(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
  const RandomStream random(seed, 1);
  std::vector<std::set<std::int32_t>> places(static_cast<std::size_t>(rows));
  std::uint64_t n = 0;
  for (auto& row : places) {
    const std::uint64_t wanted = random.bits(n++) % 13;
    for (std::uint64_t k = 0; k < wanted; ++k) {
      row.insert(static_cast<std::int32_t>(random.bits(n++) % static_cast<std::uint64_t>(columns)));
    }
  }
  return make_csr<Real>(
      rows, columns,
      [&](std::int64_t i) { return static_cast<std::int64_t>(places[static_cast<std::size_t>(i)].size()); },
      [&](std::int64_t i, std::int32_t* column, Real* value) {
        for (const std::int32_t j : places[static_cast<std::size_t>(i)]) {
          *column++ = j;
          *value++ = static_cast<Real>(random.uniform(static_cast<std::uint64_t>(i * columns + j)) - 0.5);
        }
      });
}

template <class Real>
std::vector<Real> random_vector(std::int64_t n) {
  const RandomStream random(7, 2);
  std::vector<Real> x(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<Real>(random.uniform(i) - 0.5);
  return x;
}

template <class Real>
void compare(std::int64_t rows, std::int64_t columns) {
  const Csr<Real> a = random_matrix<Real>(rows, columns, static_cast<std::uint64_t>(rows));
  const std::vector<Real> x = random_vector<Real>(columns);
  std::vector<Real> expected(static_cast<std::size_t>(rows)), y(expected);
  plain::multiply(rows, a.begin, a.column, a.value, x, expected);
  const auto check = [&] {
    std::int64_t wrong = 0;
    for (std::size_t i = 0; i < y.size(); ++i)
      wrong += !(std::abs(y[i] - expected[i]) <= 8 * std::abs(x[0]) * Real(1e-6));
    CHECK(wrong == 0);
    y.assign(y.size(), Real(-99));
  };
  y.assign(y.size(), Real(-99));
  multiply(a, x.data(), y.data());
  check();
  std::vector<Real> first;
  for (const int c : {1, 2, 3, 4, 8, 13, 16, 32}) {
    for (const int sigma : {1, c, 4 * c}) {
      for (const std::vector<std::int64_t>& groups :
           {std::vector<std::int64_t>{}, std::vector<std::int64_t>{0, rows / 3, rows / 3, rows / 2, rows}}) {
        const Sell<Real> s = make_sell(a, c, sigma, groups);
        CHECK(s.entries == a.entries());
        multiply(s, x.data(), y.data());
        if (first.empty()) first = y;
        CAPTURE(c);
        CHECK(y == first);  // the same bits whatever the storage
        check();
      }
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("products agree with the plain one for every chunk, window, group and length", Real, double, float) {
  for (const auto& [rows, columns] : {std::pair{1, 1}, {7, 5}, {203, 150}}) compare<Real>(rows, columns);
}

TEST_CASE("products are the same on any number of threads, also when a team calls them") {
  const Csr<double> a = poisson_matrix(9, 7, 5);
  const Sell<double> s = make_sell(a);
  const std::vector<double> x = random_vector<double>(a.rows);
  std::vector<double> expected(x), y(x);
  plain::multiply(a.rows, a.begin, a.column, a.value, x, expected);
  for (int threads = 1; threads <= 8; ++threads) {
    y.assign(y.size(), -99);
    omp_set_num_threads(threads);
    if (threads % 2 == 0) {
      multiply(s, x.data(), y.data());
    } else {
#pragma omp parallel
      multiply(s, x.data(), y.data());
    }
    for (std::size_t i = 0; i < y.size(); ++i) REQUIRE(y[i] == doctest::Approx(expected[i]).epsilon(1e-13));
  }
  omp_set_num_threads(omp_get_num_procs());
}

TEST_CASE("the fill is entries over slots, and sorting raises it") {
  // Rows of 1 and 4 entries in turn: chunks of 2 are half padded where not sorted (10 of 16), not at all where sorted.
  const Csr<double> a = make_csr<double>(
      4, 4, [](std::int64_t i) { return i % 2 == 0 ? 1 : 4; },
      [](std::int64_t i, std::int32_t* column, double* value) {
        for (int j = 0; j < (i % 2 == 0 ? 1 : 4); ++j) column[j] = j, value[j] = 1;
      });
  CHECK(make_sell(a, 2, 1).fill() == 10.0 / 16);
  CHECK(make_sell(a, 2, 4).fill() == 1);
  CHECK(make_sell(a, 1, 1).fill() == 1);
}

TEST_CASE("chunks and windows that do not exist are refused") {
  const Csr<double> a = poisson_matrix(2, 2, 2);
  CHECK_THROWS_WITH_AS(make_sell(a, 0, 1), "SELL chunks of 0 rows do not exist; use 1 or more", UserError);
  CHECK_THROWS_WITH_AS(make_sell(a, 4, 6), "SELL sigma = 6 must be 1 or a multiple of the chunk's 4 rows", UserError);
}

TEST_CASE("the Poisson matrix is symmetric, and its solution for no source is 0 at one end only") {
  const Csr<double> a = poisson_matrix(3, 4, 5);
  CHECK_FALSE(unsymmetric_entry(a, 0).has_value());
  CHECK(a.entries() == 7 * 60 - 2 * (3 * 4 + 4 * 5 + 3 * 5));
  const std::vector<double> ones(60, 1);
  std::vector<double> y(60);
  multiply(a, ones.data(), y.data());
  for (std::size_t i = 0; i < 60; ++i) CHECK(y[i] == (i >= 48 ? 2 : 0));
}

TEST_CASE("what is not symmetric is found: a value and a place") {
  const Entry whole[] = {{0, 0, 2}, {1, 1, 2}, {0, 1, 1}, {1, 0, 1}};
  CHECK_FALSE(unsymmetric_entry(csr_from(2, 2, whole).first, 0).has_value());
  const Entry value[] = {{0, 0, 2}, {1, 1, 2}, {0, 1, 1}, {1, 0, 1.5}};
  CHECK(unsymmetric_entry(csr_from(2, 2, value).first, 0.1)->column == 1);
  CHECK_FALSE(unsymmetric_entry(csr_from(2, 2, value).first, 0.4).has_value());
  const Entry place[] = {{0, 0, 2}, {1, 1, 2}, {1, 0, 0}};
  CHECK(unsymmetric_entry(csr_from(2, 2, place).first, 0.4)->row == 1);
}

TEST_CASE("entries in any order become rows with ascending columns, a place given twice is found") {
  const Entry entries[] = {{2, 1, 5}, {0, 2, 1}, {2, 0, 4}, {0, 0, 3}};
  const auto [a, twice] = csr_from(3, 3, entries);
  CHECK_FALSE(twice.has_value());
  CHECK(a.row(0) == Range{0, 2});
  CHECK(a.row(1).size() == 0);
  CHECK(*find_entry(a, 2, 0) == 4);
  CHECK(*find_entry(a, 2, 1) == 5);
  CHECK(find_entry(a, 1, 1) == nullptr);
  const Entry doubled[] = {{2, 1, 5}, {0, 2, 1}, {2, 1, 4}};
  CHECK(csr_from(3, 3, doubled).second->row == 2);
}

TEST_CASE("a permuted matrix has the same entries between the same rows") {
  const Csr<double> a = poisson_matrix(3, 2, 2);
  const std::vector<std::int32_t> order{5, 0, 11, 3, 7, 1, 10, 2, 9, 4, 8, 6};
  const Csr<double> p = permuted<double>(a, order);
  CHECK(p.entries() == a.entries());
  for (std::int64_t i = 0; i < 12; ++i) {
    for (std::int64_t j = 0; j < 12; ++j) {
      const double* there = find_entry(a, order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(j)]);
      const double* here = find_entry(p, i, j);
      REQUIRE((here == nullptr) == (there == nullptr));
      if (here != nullptr) CHECK(*here == *there);
    }
  }
}

TEST_CASE("the stated work is what the plain product does, counted") {
  const Csr<double> a = poisson_matrix(3, 3, 3);
  const auto all = [](auto& array) { return std::vector(array.begin(), array.end()); };
  Watched<std::int64_t> begin(all(a.begin));
  Watched<std::int32_t> column(all(a.column));
  Watched<Counted> value(std::vector<Counted>(a.value.begin(), a.value.end()));
  Watched<Counted> x(27), y(27);
  counted_flop = 0;
  plain::multiply(a.rows, begin, column, value, x, y);
  const std::int64_t matrix = 8 * value.read() + 4 * column.read() + 8 * begin.read();
  CHECK(csr_work(27, 27, a.entries(), 8) == Work{.flop = counted_flop,
                                                 .bytes_read = matrix + 8 * x.read() + 8 * y.read(),
                                                 .bytes_written = 8 * y.written()});
  CHECK(sell_work(27, 27, a.entries(), 8).bytes_read == csr_work(27, 27, a.entries(), 8).bytes_read - 8 * begin.read());
}
