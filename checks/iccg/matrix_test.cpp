// Solvers on matrices with triangles and with shifts, the choice of the shift, and what shows that a matrix is not
// positive definite.
#include <doctest/doctest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>

#include "definite.hpp"
#include "problem.hpp"
#include "ref.hpp"
#include "shift.hpp"
#include "solver.hpp"

using namespace iccg;
using namespace tenken;

namespace {

Csr<double> symmetric(std::int32_t n, std::vector<Entry> lower) {
  const std::size_t given = lower.size();
  for (std::size_t k = 0; k < given; ++k) {
    if (lower[k].row != lower[k].column) lower.push_back({lower[k].column, lower[k].row, lower[k].value});
  }
  return csr_from(n, n, lower).first;
}

// -1 for each of the 26 neighbours of a cell.
Csr<double> box27(int n, double diagonal = 26.3) {
  std::vector<Entry> entries;
  for (int i = 0; i < n * n * n; ++i) {
    for (int j = 0; j <= i; ++j) {
      const bool near =
          std::abs(i % n - j % n) <= 1 && std::abs(i / n % n - j / n % n) <= 1 && std::abs(i / n / n - j / n / n) <= 1;
      if (near) entries.push_back({i, j, i == j ? diagonal : -1.0});
    }
  }
  return symmetric(n * n * n, entries);
}

// The square of the five-point Laplacian of n^2 cells: IC(0) has pivots below 0.
Csr<double> biharmonic(int n) {
  const auto laplacian = [n](int i, int j) {
    const int dx = std::abs(i % n - j % n), dy = std::abs(i / n - j / n);
    return i == j ? 4.0 : dx + dy == 1 ? -1.0 : 0.0;
  };
  std::vector<Entry> entries;
  for (int i = 0; i < n * n; ++i) {
    for (int j = std::max(0, i - 2 * n); j <= i; ++j) {
      double sum = 0;
      for (const int k : {i, i - 1, i + 1, i - n, i + n}) {
        if (k >= 0 && k < n * n) sum += laplacian(i, k) * laplacian(k, j);
      }
      if (sum != 0) entries.push_back({i, j, sum});
    }
  }
  return symmetric(n * n, entries);
}

std::vector<double> product_with_ones(const Csr<double>& a) {
  std::vector<double> ones(static_cast<std::size_t>(a.rows), 1.0), b(ones.size());
  multiply(a, ones.data(), b.data());
  return b;
}

std::unique_ptr<Solver> make(int variant, const Coloured& a, std::span<const double> b) {
  return variant < 5 ? make_iccg(static_cast<Sync>(variant), a, b) : make_best(a, b);
}

}  // namespace

TEST_CASE("all variants agree with the plain twin on triangles and with shifts, on any number of threads") {
  for (const Csr<double>& a : {box27(8), biharmonic(14)}) {
    const std::vector<double> b = product_with_ones(a);
    for (const Ordering& order : {coloured(a, Colouring::automatic, 12), coloured(a, Colouring::levels, 12)}) {
      const Csr<double> ordered = permuted<double>(a, order.order);
      std::vector<double> of_order(b.size()), x, history;
      for (std::size_t n = 0; n < b.size(); ++n) of_order[n] = b[static_cast<std::size_t>(order.order[n])];
      for (const int threads : {1, 2, 3}) {
        omp_set_num_threads(threads);
        const Coloured m = make_coloured(a, order);
        CHECK(m.lower.factor.size() > 0);
        history.clear();
        const int iterations = plain::solve(ordered, of_order, 1e-10, 2000, x, &history, m.shift);
        for (int variant = 0; variant < 6; ++variant) {
          CAPTURE(variant);
          const auto solver = make(variant, m, b);
          const int taken = solver->advance(2000, 1e-10, nullptr);
          CHECK(std::abs(taken - iterations) <= 1 + iterations / 50);
          for (std::size_t n = 0; variant < 5 && n < 8; ++n) {
            CHECK(solver->history()[n + 1] == doctest::Approx(history[n]).epsilon(1e-8));
          }
          std::vector<double> solution(b.size());
          solver->solution(solution.data());
          for (const double value : solution) CHECK(value == doctest::Approx(1).epsilon(1e-6));
        }
      }
    }
  }
}

TEST_CASE("levels need the iterations of the matrix's order") {
  omp_set_num_threads(2);
  const Csr<double> a = box27(9, 26.0);
  std::vector<double> b(static_cast<std::size_t>(a.rows));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = std::sin(static_cast<double>(i * i));
  std::vector<double> x;
  const int natural = plain::solve(a, b, 1e-8, 500, x);
  const auto iterations = [&](Colouring colouring) {
    const Coloured m = make_coloured(a, coloured(a, colouring, 12));
    return make_best(m, b)->advance(500, 1e-8, nullptr);
  };
  CHECK(iterations(Colouring::levels) == natural);
  CHECK(iterations(Colouring::greedy) > natural);
}

TEST_CASE("the choice of a shift never needs more iterations than the least shift, and leaves a matrix without alone") {
  omp_set_num_threads(2);
  const Csr<double> a = biharmonic(24);
  const std::vector<double> b = product_with_ones(a);
  Coloured m = make_coloured(a, coloured(a, Colouring::levels, 12));
  const double least = m.shift;
  const int before = make_best(m, b)->advance(5000, 1e-8, nullptr);
  choose_shift(m, b);
  const int after = make_best(m, b)->advance(5000, 1e-8, nullptr);
  CHECK(least > 0);
  CHECK(m.shift > least);
  CHECK(after < 0.6 * before);
  const Csr<double> dominant = box27(5);
  Coloured without = make_coloured(dominant, coloured(dominant, Colouring::greedy, 12));
  choose_shift(without, product_with_ones(dominant));
  CHECK(without.shift == 0);
}

TEST_CASE("x.A x is computed with a bound of its error") {
  const Csr<double> a = symmetric(2, {{0, 0, 2}, {1, 1, 3}, {1, 0, -1}});
  const std::vector<double> x{1, 2};
  const Form form = form_of(a, x);
  CHECK(form.value == 2 - 4 + 12);
  CHECK(form.square == 5);
  CHECK(form.error > 0);
  CHECK(form.error < 1e-13);
}

TEST_CASE("discs prove dominant matrices positive definite") {
  CHECK(discs_of(symmetric(2, {{0, 0, 4}, {1, 1, 9}, {1, 0, -3}})).least == doctest::Approx(0.5));
  const Discs discs = discs_of(symmetric(3, {{0, 0, 1}, {1, 1, 1}, {2, 2, 1}, {1, 0, 0.5}, {2, 1, 0.75}}));
  CHECK(discs.least == doctest::Approx(-0.25));
  CHECK(discs.row == 1);
}

TEST_CASE("rows that show that a matrix is not positive definite are named with the vector") {
  CHECK(indefinite_rows(symmetric(2, {{0, 0, 4}, {1, 1, 1}, {1, 0, -2}})) == "");  // x.A x = 0 at the least
  CHECK(indefinite_rows(symmetric(2, {{0, 0, 1}, {1, 1, -2}})) ==
        "row 2 has no positive diagonal entry, so the matrix is not positive definite: x.A x = -2 for x = 1 in row 2 "
        "and 0 elsewhere");
  CHECK(indefinite_rows(symmetric(2, {{0, 0, 1}, {1, 1, 4}, {1, 0, 3}})) ==
        "the entry in row 1, column 2 is 3, but the diagonal entries of these rows are 1 and 4, so the matrix is not "
        "positive definite: x.A x = -1.25 for x = 1 in row 1, -0.75 in row 2 and 0 elsewhere");
  CHECK(indefinite_rows(symmetric(2, {{0, 0, 1e-200}, {1, 1, 1e200}, {1, 0, 2}})) != "");
  CHECK(indefinite_rows(symmetric(2, {{0, 0, 1e-200}, {1, 1, 1e200}, {1, 0, 0.5}})) == "");
}

TEST_CASE("where iterations meet a direction with x.A x <= 0, it is shown; rounding is no such direction") {
  omp_set_num_threads(2);
  // A ring of four rows: eigenvalue 1 - 1.2 for the right side; no two rows show it.
  const Csr<double> a =
      symmetric(4, {{0, 0, 1}, {1, 1, 1}, {2, 2, 1}, {3, 3, 1}, {1, 0, 0.6}, {2, 1, 0.6}, {3, 2, 0.6}, {3, 0, 0.6}});
  CHECK(indefinite_rows(a) == "");
  const Coloured m = make_coloured(a, greedy_colours(a));
  const std::vector<double> b{1, -1, 1, -1};
  for (int variant = 0; variant < 6; ++variant) {
    const auto solver = make(variant, m, b);
    solver->advance(10, 1e-8, nullptr);
    CHECK(solver->end() == End::broken);
    std::vector<double> p(4);
    solver->direction(p.data());
    CHECK(form_of(a, p).value < 0);
    const std::string sentence = indefinite_direction(a, p, 1, m.shift);
    CHECK(sentence.starts_with("the matrix is not positive definite: x.A x = -0."));
    CHECK(sentence.find(" x.x for the search direction x of iteration 1 (largest entries of x / |x|: ") !=
          std::string::npos);
    CHECK(sentence.find("discs begin at -0.2 (row 1)") != std::string::npos);
  }
  const Csr<double> singular = symmetric(2, {{0, 0, 1}, {1, 1, 1}, {1, 0, -1}});
  CHECK(indefinite_direction(singular, std::vector<double>{1, 1}, 3, 0) == "");
  CHECK(indefinite_direction(singular, std::vector<double>{0, 0}, 3, 0) == "");
}
