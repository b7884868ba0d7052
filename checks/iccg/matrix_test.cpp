// Solvers on matrices with triangles and with shifts, the choice of the shift, and what shows that a matrix is not
// positive definite.
#include <doctest/doctest.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
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

TEST_CASE("a row that touches all others is solved as it is") {
  omp_set_num_threads(2);
  constexpr std::int32_t n = 3000, hub = 1200;
  std::vector<Entry> entries;
  for (std::int32_t i = 0; i < n; ++i) {
    entries.push_back({i, i, i == hub ? 1e4 : 3.0 + 0.001 * i});
    if (i != hub) entries.push_back({std::max(i, hub), std::min(i, hub), i % 2 == 0 ? 0.5 : -0.75});
    if (i > 1 && i != hub && i - 2 != hub) entries.push_back({i, i - 2, -1.0});
  }
  const Csr<double> a = symmetric(n, entries);
  const std::vector<double> b = product_with_ones(a);
  for (const Colouring colouring : {Colouring::automatic, Colouring::levels}) {
    const Coloured m = make_coloured(a, coloured(a, colouring, 12));
    const auto best = make_best(m, b), plain = make_iccg(Sync::rm_reduction, m, b);
    const int iterations = plain->advance(500, 1e-10, nullptr);
    // best computes the true residual where it expects that to be small enough, here two iterations late.
    CHECK(std::abs(best->advance(500, 1e-10, nullptr) - iterations) <= 3);
    std::vector<double> x(b.size());
    best->solution(x.data());
    for (const double value : x) CHECK(value == doctest::Approx(1).epsilon(1e-7));
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

TEST_CASE("with full blocks and levels the factor is that of elimination by blocks") {
  // Ten nodes in a chain that also touch the node after the next; of each block of two unknowns some entries are
  // missing.
  constexpr std::int32_t nodes = 10;
  std::vector<Entry> entries;
  for (std::int32_t node = 0; node < nodes; ++node) {
    const std::int32_t i = 2 * node;
    entries.insert(entries.end(), {{i, i, 5}, {i + 1, i + 1, 7}, {i + 1, i, 0.5}});
    if (node > 0) entries.insert(entries.end(), {{i, i - 2, -1}, {i + 1, i - 2, 0.75}});
    if (node > 1) entries.push_back({i + 1, i - 3, -1.25});
  }
  const Csr<double> a = symmetric(2 * nodes, entries), full = with_full_blocks(a, 2);
  CHECK(full.entries() == 4 * (nodes + 2 * (nodes - 1) + 2 * (nodes - 2)));
  CHECK(find_entry(a, 2, 1) == nullptr);
  CHECK(*find_entry(full, 2, 1) == 0);
  CHECK(*find_entry(full, 3, 0) == 0.75);
  CHECK_FALSE(unsymmetric_entry(full, 0).has_value());

  using Block = std::array<double, 4>;
  const auto times = [](const Block& x, const Block& y) {
    return Block{x[0] * y[0] + x[1] * y[2], x[0] * y[1] + x[1] * y[3], x[2] * y[0] + x[3] * y[2],
                 x[2] * y[1] + x[3] * y[3]};
  };
  const auto transposed = [](const Block& x) { return Block{x[0], x[2], x[1], x[3]}; };
  const auto determinant = [](const Block& x) { return x[0] * x[3] - x[1] * x[2]; };
  const auto inverse = [&](const Block& x) {
    const double d = determinant(x);
    return Block{x[3] / d, -x[1] / d, -x[2] / d, x[0] / d};
  };
  std::vector<std::array<Block, nodes>> l(nodes);
  for (int row = 0; row < nodes; ++row) {
    for (int column = std::max(0, row - 2); column <= row; ++column) {
      Block& block = l[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
      for (int n = 0; n < 4; ++n) {
        block[static_cast<std::size_t>(n)] = *find_entry(full, 2 * row + n / 2, 2 * column + n % 2);
      }
      for (int k = std::max(0, row - 2); k < column; ++k) {
        const auto at = static_cast<std::size_t>(k);
        const Block product = times(times(l[static_cast<std::size_t>(row)][at], inverse(l[at][at])),
                                    transposed(l[static_cast<std::size_t>(column)][at]));
        for (std::size_t n = 0; n < 4; ++n) block[n] -= product[n];
      }
    }
  }
  const Coloured m = make_coloured(full, natural_levels(full));
  std::vector<double> pivot(2 * nodes);
  for (std::size_t place = 0; place < static_cast<std::size_t>(m.padded); ++place) {
    if (m.row[place] >= 0) pivot[static_cast<std::size_t>(m.row[place])] = 1 / m.inverse[place];
  }
  for (std::size_t node = 0; node < nodes; ++node) {
    CHECK(pivot[2 * node] * pivot[2 * node + 1] == doctest::Approx(determinant(l[node][node])).epsilon(1e-13));
  }
  CHECK_THROWS_WITH_AS(with_full_blocks(a, 3),
                       "--block 3 does not divide the 20 rows of the matrix; choose the number of unknowns of a node, "
                       "or 1",
                       UserError);
}
