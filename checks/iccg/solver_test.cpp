#include "solver.hpp"

#include <doctest/doctest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "numerics/poisson.hpp"
#include "problem.hpp"
#include "ref.hpp"

using namespace iccg;
using namespace tenken;

namespace {

constexpr std::array all{Sync::baseline, Sync::nowait, Sync::mv_parallel, Sync::rm_ompdo, Sync::rm_reduction};

std::unique_ptr<Solver> make(int variant, const Coloured& a, std::span<const double> b) {
  return variant < 5 ? make_iccg(static_cast<Sync>(variant), a, b) : make_best(a, b);
}

struct Result {
  int iterations;
  std::vector<double> x;
  std::vector<double> history;
  bool operator==(const Result&) const = default;
};

Result solved(Solver& solver, std::int64_t rows, double tolerance) {
  const int iterations = solver.advance(5000, tolerance, nullptr);
  std::vector<double> x(static_cast<std::size_t>(rows));
  solver.solution(x.data());
  return {iterations, x, solver.history()};
}

double difference(const std::vector<double>& x, const std::vector<double>& y) {
  double worst = 0, most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    worst = std::max(worst, std::abs(x[i] - y[i]));
    most = std::max(most, std::abs(y[i]));
  }
  return worst / most;
}

double true_residual(const Problem& problem, const std::vector<double>& x) {
  std::vector<double> r(x.size());
  multiply(problem.a, x.data(), r.data());
  for (std::size_t i = 0; i < r.size(); ++i) r[i] -= problem.b[i];
  return std::sqrt(plain::dot(r, r) / plain::dot(problem.b, problem.b));
}

// By Cholesky's method on the full matrix.
std::vector<double> dense_solution(const Csr<double>& a, std::vector<double> b) {
  const auto n = static_cast<std::size_t>(a.rows);
  std::vector<double> full(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (auto m = a.row(static_cast<std::int64_t>(i)).first; m < a.row(static_cast<std::int64_t>(i)).last; ++m) {
      full[i * n + static_cast<std::size_t>(a.column[static_cast<std::size_t>(m)])] =
          a.value[static_cast<std::size_t>(m)];
    }
  }
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      double sum = full[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= full[i * n + k] * full[j * n + k];
      full[i * n + j] = i == j ? std::sqrt(sum) : sum / full[j * n + j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= full[i * n + k] * b[k];
    b[i] /= full[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= full[k * n + i] * b[k];
    b[i] /= full[i * n + i];
  }
  return b;
}

// Solution cos(pi x) cos(pi y) cos(pi z / 2) on the unit cube: no flux through x, y = 0, 1 and z = 0, zero at z = 1.
double discretisation_error(int n, int variant) {
  const double h = 1.0 / n, pi = std::numbers::pi;
  const Csr<double> a = poisson_matrix(n, n, n);
  std::vector<double> b(static_cast<std::size_t>(a.rows)), exact(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) {
    const auto cell = static_cast<int>(i);
    const double x = (cell % n + 0.5) * h, y = (cell / n % n + 0.5) * h, z = (cell / n / n + 0.5) * h;
    exact[i] = std::cos(pi * x) * std::cos(pi * y) * std::cos(pi * z / 2);
    b[i] = 2.25 * pi * pi * exact[i] * h * h;  // of unit cubes: the equation times h^2
  }
  const Coloured m = make_coloured(a, cm_rcm(a, 8));
  const Result result = solved(*make(variant, m, b), a.rows, 1e-11);
  double sum = 0;
  for (std::size_t i = 0; i < b.size(); ++i) sum += (result.x[i] - exact[i]) * (result.x[i] - exact[i]);
  return std::sqrt(sum / static_cast<double>(b.size()));
}

}  // namespace

TEST_CASE("all variants agree with the plain twin in the same order, and best with its solution") {
  omp_set_num_threads(2);
  const Problem problem = poisson_problem(13, 11, 9);
  const Ordering colours = cm_rcm(problem.a, 7);
  const Csr<double> ordered = permuted<double>(problem.a, colours.order);
  std::vector<double> b(problem.b.size()), x, expected(b.size()), history;
  for (std::size_t n = 0; n < b.size(); ++n) b[n] = problem.b[static_cast<std::size_t>(colours.order[n])];
  const int iterations = plain::solve(ordered, b, 1e-12, 1000, x, &history);
  for (std::size_t n = 0; n < b.size(); ++n) expected[static_cast<std::size_t>(colours.order[n])] = x[n];
  const Coloured m = make_coloured(problem.a, colours);
  for (int variant = 0; variant < 6; ++variant) {
    CAPTURE(variant);
    const Result result = solved(*make(variant, m, problem.b), problem.a.rows, 1e-12);
    CHECK(std::abs(result.iterations - iterations) <= 1);
    CHECK(difference(result.x, expected) < 1e-10);
    CHECK(true_residual(problem, result.x) < 1.1e-12);
    for (std::size_t n = 0; variant < 5 && n < 20; ++n) {
      CHECK(result.history[n + 1] == doctest::Approx(history[n]).epsilon(1e-9));
    }
  }
}

TEST_CASE("the five variants go through the same iterates: bit for bit on 1 and 2 threads, to 1e-12 on more") {
  const Problem problem = poisson_problem(12, 13, 14);
  for (const int threads : {1, 2, 3, 5}) {
    omp_set_num_threads(threads);
    const Coloured m = make_coloured(problem.a, cm_rcm(problem.a, 6));
    const Result first = solved(*make_iccg(all[0], m, problem.b), problem.a.rows, 1e-10);
    for (const Sync sync : all) {
      CAPTURE(threads);
      CAPTURE(static_cast<int>(sync));
      const Result result = solved(*make_iccg(sync, m, problem.b), problem.a.rows, 1e-10);
      if (threads <= 2) {
        CHECK(result == first);
      } else {
        CHECK(result.iterations == first.iterations);
        CHECK(difference(result.x, first.x) < 1e-12);
      }
    }
  }
}

TEST_CASE("a solve in pieces goes through the same iterates as one in a piece") {
  omp_set_num_threads(2);
  const Problem problem = poisson_problem(8, 9, 10);
  const Coloured m = make_coloured(problem.a, cm_rcm(problem.a, 5));
  for (int variant = 0; variant < 6; ++variant) {
    const auto whole = make(variant, m, problem.b), pieces = make(variant, m, problem.b);
    const Result expected = solved(*whole, problem.a.rows, 1e-9);
    while (pieces->end() == End::none) pieces->advance(3, 1e-9, nullptr);
    CHECK(pieces->history() == expected.history);
    pieces->start();
    pieces->advance(5000, 1e-9, nullptr);
    CHECK(pieces->history() == expected.history);
  }
}

TEST_CASE("iteration counts and solutions hold over threads, chunks and windows") {
  const Problem problem = poisson_problem(14, 12, 10);
  const Ordering colours = cm_rcm(problem.a, 9);
  for (const int variant : {4, 5}) {
    std::vector<Result> results;
    for (const int threads : {1, 2, 4}) {
      omp_set_num_threads(threads);
      for (const int c : {1, 2, 4, 8, 16, 32}) {
        for (const int sigma : {1, 4 * c}) {
          const Coloured m = make_coloured(problem.a, colours, c, sigma);
          results.push_back(solved(*make(variant, m, problem.b), problem.a.rows, 1e-12));
        }
      }
    }
    for (const Result& result : results) {
      CHECK(std::abs(result.iterations - results[0].iterations) <= 1);
      CHECK(difference(result.x, results[0].x) < 1e-10);
    }
  }
}

TEST_CASE("the solution is that of a dense solve") {
  omp_set_num_threads(2);
  const Problem problem = poisson_problem(6, 6, 6);
  const std::vector<double> expected = dense_solution(problem.a, problem.b);
  const Coloured m = make_coloured(problem.a, cm_rcm(problem.a, 4));
  for (int variant = 0; variant < 6; ++variant) {
    CHECK(difference(solved(*make(variant, m, problem.b), problem.a.rows, 1e-13).x, expected) < 1e-11);
  }
}

TEST_CASE("the error of the discretisation falls by 4 where the cells are halved") {
  omp_set_num_threads(2);
  for (const int variant : {4, 5}) {
    const double coarse = discretisation_error(8, variant), middle = discretisation_error(16, variant),
                 fine = discretisation_error(32, variant);
    CHECK(coarse / middle == doctest::Approx(4).epsilon(0.025));
    CHECK(middle / fine == doctest::Approx(4).epsilon(0.025));
  }
}

TEST_CASE("more colours need fewer iterations, and all levels as many as the natural order") {
  omp_set_num_threads(2);
  const Problem problem = poisson_problem(32, 32, 32);
  const auto iterations = [&](int colours) {
    const Coloured m = make_coloured(problem.a, cm_rcm(problem.a, colours));
    return solved(*make_best(m, problem.b), problem.a.rows, 1e-8).iterations;
  };
  std::vector<double> x;
  const int natural = plain::solve(problem.a, problem.b, 1e-8, 1000, x);
  const int two = iterations(2), twelve = iterations(12), levels = iterations(94);
  CHECK(twelve < 0.8 * two);
  CHECK(twelve > 0.7 * two);
  CHECK(std::abs(levels - natural) <= 0.02 * natural + 1);
}

TEST_CASE("a matrix that is not positive definite ends as broken, although its pivots are positive") {
  omp_set_num_threads(2);
  // A ring of four rows: eigenvalue 1 - 1.2 for the right side.
  std::vector<Entry> entries;
  for (std::int32_t i = 0; i < 4; ++i) {
    entries.push_back({i, i, 1});
    entries.push_back({i, (i + 1) % 4, 0.6});
    entries.push_back({(i + 1) % 4, i, 0.6});
  }
  const Csr<double> a = csr_from(4, 4, entries).first;
  const Coloured m = make_coloured(a, greedy_colours(a));
  const std::vector<double> b{1, -1, 1, -1};
  for (int variant = 0; variant < 6; ++variant) {
    const auto solver = make(variant, m, b);
    CHECK(solver->advance(10, 1e-8, nullptr) < 10);
    CHECK(solver->end() == End::broken);
  }
}

TEST_CASE("a right side of zeros ends at once, and no convergence is told with its history") {
  omp_set_num_threads(2);
  const Problem problem = poisson_problem(6, 6, 6);
  const Coloured m = make_coloured(problem.a, cm_rcm(problem.a, 4));
  const std::vector<double> zero(problem.b.size(), 0.0);
  for (int variant = 0; variant < 6; ++variant) {
    CHECK(make(variant, m, zero)->advance(10, 1e-8, nullptr) <= 1);
    const auto solver = make(variant, m, problem.b);
    CHECK(solver->advance(3, 1e-8, nullptr) == 3);
    CHECK(solver->end() == End::none);
    CHECK(solver->history().size() == 4);
  }
}

TEST_CASE("stated work of an iteration is within what the goals allow") {
  omp_set_num_threads(1);
  const Problem problem = poisson_problem(48, 48, 48);
  const Coloured m = make_coloured(problem.a, cm_rcm(problem.a, 12));
  const auto bytes = [&](Solver& solver) {
    double sum = 0;
    for (int n = 1; n < phases; ++n) {
      const Work work = solver.work(static_cast<Phase>(n));
      sum += static_cast<double>(work.bytes_read + work.bytes_written);
    }
    return sum / static_cast<double>(problem.a.rows);
  };
  CHECK(bytes(*make_iccg(Sync::baseline, m, problem.b)) <= 345);
  CHECK(bytes(*make_best(m, problem.b)) <= 215);
}
