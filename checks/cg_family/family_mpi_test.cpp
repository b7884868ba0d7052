#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "family.hpp"
#include "measure/phase_sections.hpp"
#include "numerics/poisson.hpp"
#include "proofs.hpp"
#include "ref.hpp"
#include "testing/counting.hpp"
#include "work.hpp"

using namespace tenken;
using namespace tenken::cg_family;
using tenken::testing::Counted;
using tenken::testing::counted_flop;
using tenken::testing::Watched;

namespace {

const MPI_Comm world = MPI_COMM_WORLD;
constexpr std::array methods{Method::standard, Method::chronopoulos_gear, Method::gropp, Method::pipelined,
                             Method::pipelined_replaced};

int size_of(MPI_Comm comm) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  return ranks;
}
bool is_last() {
  int rank = 0;
  MPI_Comm_rank(world, &rank);
  return rank + 1 == size_of(world);
}

System system_of(const Index<3>& cells, Preconditioner preconditioner, int threads = 1, const Faults& faults = {}) {
  return System(world, cells, balanced_grid(cells, size_of(world)), 5, preconditioner, threads, faults);
}

Buffer<double> source(const System& system) {
  Buffer<double> b = system.vector("right side");
  system.fill(b.data(), [](const Index<3>& cell) { return poisson_source(cell[0], cell[1], cell[2]); });
  return b;
}

// Of the whole box, cells x fastest.
std::vector<double> gathered(const System& system, const Buffer<double>& x) {
  std::vector<double> all(static_cast<std::size_t>(product(system.block().cells())));
  for (std::int64_t place = 0; place < system.matrix().padded; ++place) {
    if (system.padding(place)) continue;
    all[static_cast<std::size_t>(position(system.cell(place), system.block().cells()))] =
        x[static_cast<std::size_t>(place)];
  }
  MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_SUM, world);
  return all;
}

// By Cholesky's method on the full matrix of the seven points.
std::vector<double> dense_solution(const Index<3>& cells) {
  const auto n = static_cast<std::size_t>(product(cells));
  std::vector<double> full(n * n), b(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Index<3> cell = coordinates(static_cast<std::int64_t>(i), cells);
    b[i] = poisson_source(cell[0], cell[1], cell[2]);
    for (std::size_t j = 0; j < n; ++j) {
      const Index<3> other = coordinates(static_cast<std::int64_t>(j), cells);
      full[i * n + j] = cg_family::plain::row(cells, cell, [&](const Index<3>& at) { return at == other ? 1.0 : 0.0; });
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

double difference(const std::vector<double>& x, const std::vector<double>& y) {
  double worst = 0, most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!(std::abs(x[i] - y[i]) <= worst)) worst = std::abs(x[i] - y[i]);
    most = std::max(most, std::abs(y[i]));
  }
  return worst / most;
}

// The textbook's iteration, on the whole box and one thread: residuals of the first ones, with the diagonal.
std::vector<double> plain_history(const Index<3>& cells, int iterations) {
  const Csr<double> a = poisson_matrix(cells[0], cells[1], cells[2]);
  const auto n = static_cast<std::size_t>(a.rows);
  std::vector<double> r(n), z(n), p(n), q(n), history{1.0};
  const auto dot = [n](const std::vector<double>& u, const std::vector<double>& v) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += u[i] * v[i];
    return sum;
  };
  for (std::size_t i = 0; i < n; ++i) {
    const Index<3> cell = coordinates(static_cast<std::int64_t>(i), cells);
    r[i] = poisson_source(cell[0], cell[1], cell[2]);
  }
  const double of_b = std::sqrt(dot(r, r));
  double rho = 0;
  for (int k = 0; k < iterations; ++k) {
    for (std::size_t i = 0; i < n; ++i) z[i] = r[i] / *find_entry(a, static_cast<int>(i), static_cast<int>(i));
    const double before = rho;
    rho = dot(r, z);
    for (std::size_t i = 0; i < n; ++i) p[i] = z[i] + (k > 0 ? rho / before : 0) * p[i];
    multiply(a, p.data(), q.data());
    const double alpha = rho / dot(p, q);
    for (std::size_t i = 0; i < n; ++i) r[i] -= alpha * q[i];
    history.push_back(std::sqrt(dot(r, r)) / of_b);
  }
  return history;
}

}  // namespace

TEST_CASE("every method in every way goes through the textbook's residuals") {
  const Index<3> cells{9, 8, 7};
  const std::vector<double> expected = plain_history(cells, 20);
  for (const int threads : {1, 2, 3}) {
    System system = system_of(cells, Preconditioner::point, threads);
    const Buffer<double> b = source(system);
    for (const Method method : methods) {
      for (const Regions regions : {Regions::many, Regions::one}) {
        for (const Reduction reduction : {Reduction::blocking, Reduction::nonblocking, Reduction::polled}) {
          CAPTURE(method_names[static_cast<std::size_t>(method)]);
          Family family(system, b, {.method = method, .regions = regions, .reduction = reduction, .replace = 7});
          CHECK(family.advance(20, 0, 0, nullptr) == 20);
          for (std::size_t k = 0; k < expected.size(); ++k) {
            CHECK(std::abs(family.history()[k] - expected[k]) <= 1e-9 * expected[k]);
          }
        }
      }
    }
  }
}

TEST_CASE("all methods find the solution of a dense solve, with both preconditioners") {
  const Index<3> cells{6, 6, 6};
  const std::vector<double> expected = dense_solution(cells);
  for (const Preconditioner preconditioner : {Preconditioner::point, Preconditioner::ic}) {
    System system = system_of(cells, preconditioner, 2);
    const Buffer<double> b = source(system);
    for (const Method method : methods) {
      Family family(system, b, {.method = method, .replace = 10});
      family.advance(1000, 1e-13, 0, nullptr);
      CHECK(family.end() == End::converged);
      CHECK(difference(gathered(system, family.x()), expected) < 1e-11);
      CHECK(family.residuals(row_norm).truth < 1e-11);
    }
  }
}

TEST_CASE("iterations without reductions repeat those with them") {
  System system = system_of({8, 9, 10}, Preconditioner::ic, 2);
  const Buffer<double> b = source(system);
  for (const Method method : methods) {
    Family family(system, b, {.method = method, .reduction = Reduction::none});
    family.advance(15, 0, 0, nullptr);
    const std::vector<double> first = family.history();
    const double norm = family.residuals(row_norm).norm;
    family.start();
    family.advance(7, 0, 0, nullptr);
    family.advance(8, 0, 0, nullptr);
    CHECK(family.history() == first);
    CHECK(family.residuals(row_norm).norm == norm);
    CHECK(std::abs(norm - first.back()) <= 1e-12 * norm);
  }
}

TEST_CASE("solves go on to what can be attained and end, with no number that is none") {
  System system = system_of({8, 8, 8}, Preconditioner::point);
  const Buffer<double> b = source(system);
  for (const Method method : methods) {
    for (const double tolerance : {1e-16, 0.0}) {
      Family family(system, b, {.method = method, .replace = 20});
      family.advance(2000, tolerance, 60, nullptr);
      CHECK(family.end() != End::none);
      const Family::Residuals residuals = family.residuals(row_norm);
      CHECK(residuals.truth < 1e-9);
      for (const double residual : family.history()) CHECK(std::isfinite(residual));
      for (const double x : family.x()) REQUIRE(std::isfinite(x));
    }
  }
}

TEST_CASE("operators hold their proofs, and planted mistakes are found") {
  for (const Preconditioner preconditioner : {Preconditioner::point, Preconditioner::ic}) {
    System system = system_of({7, 5, 8}, preconditioner, 2);
    CHECK(reference_error(system) < 1e-15);
    CHECK(asymmetry(system) < 1e-15);
    CHECK(preconditioner_proof(system).asymmetry < 1e-15);
    CHECK(preconditioner_proof(system).least > 0);
    System wrong = system_of({7, 5, 8}, preconditioner, 2, {.unsymmetric_preconditioner = is_last()});
    CHECK(preconditioner_proof(wrong).asymmetry > 1e-8);
  }
  System alone = system_of({6, 6, 6}, Preconditioner::ic);
  const Buffer<double> b = source(alone);
  Family late(alone, b, {.method = Method::chronopoulos_gear, .stale_reduction = true});
  late.advance(200, 1e-8, 0, nullptr);
  CHECK(!(late.end() == End::converged && late.residuals(row_norm).truth < 1e-8));
  if (size_of(world) == 1) return;
  System stale = system_of({7, 5, 8}, Preconditioner::point, 1, {.stale_halo = is_last()});
  CHECK(reference_error(stale) > 1e-3);
}

TEST_CASE("iterations with the diagonal are the same on any number of ranks, and nearly so with incomplete Cholesky") {
  const Index<3> cells{16, 16, 16};
  for (const Preconditioner preconditioner : {Preconditioner::point, Preconditioner::ic}) {
    System one(MPI_COMM_SELF, cells, {1, 1, 1}, 5, preconditioner, 1, {});
    System all = system_of(cells, preconditioner);
    const Buffer<double> of_one = source(one), of_all = source(all);
    Family alone(one, of_one, {}), together(all, of_all, {});
    const int expected = alone.advance(1000, 1e-12, 0, nullptr), found = together.advance(1000, 1e-12, 0, nullptr);
    if (preconditioner == Preconditioner::point) {
      CHECK(std::abs(found - expected) <= 1);
    } else {
      CHECK(found <= 1.4 * expected);
    }
    std::vector<double> x(static_cast<std::size_t>(one.rows()));
    for (std::int64_t place = 0; place < one.matrix().padded; ++place) {
      if (!one.padding(place)) {
        x[static_cast<std::size_t>(position(one.cell(place), cells))] = alone.x()[static_cast<std::size_t>(place)];
      }
    }
    CHECK(difference(gathered(all, together.x()), x) < 1e-10);
  }
}

TEST_CASE("work of sums and updates is what the formulas do, counted") {
  constexpr std::int64_t n = 5;
  using Vector = Watched<Counted>;
  const auto make = [] { return Vector(static_cast<std::size_t>(n)); };
  const auto add = [](Vector& y, Vector& x) {  // y += a x
    for (std::int64_t i = 0; i < n; ++i) y[i] += Counted(2) * x[i];
  };
  const auto recur = [](Vector& y, Vector& x) {  // y = x + b y
    for (std::int64_t i = 0; i < n; ++i) y[i] = x[i] + Counted(3) * y[i];
  };
  // Passes: vectors are counted once in each.
  const auto pass = [&](const auto& body) {
    std::array<Vector, 10> v{make(), make(), make(), make(), make(), make(), make(), make(), make(), make()};
    counted_flop = 0;
    body(v);
    Work work{.flop = counted_flop};
    for (const Vector& one : v) work.bytes_read += 8 * one.read(), work.bytes_written += 8 * one.written();
    return work;
  };
  enum { x, r, u, p, s, w, q, m, nn, z };
  const Work step_x_r = pass([&](auto& v) { add(v[x], v[p]), add(v[r], v[s]); });
  CHECK(update_work(Method::standard, n) == step_x_r + pass([&](auto& v) { recur(v[p], v[u]); }));
  CHECK(update_work(Method::chronopoulos_gear, n) ==
        pass([&](auto& v) { recur(v[p], v[u]), recur(v[s], v[w]), add(v[x], v[p]), add(v[r], v[s]); }));
  CHECK(update_work(Method::gropp, n) == pass([&](auto& v) { add(v[x], v[p]), add(v[r], v[s]), add(v[u], v[q]); }) +
                                             pass([&](auto& v) { recur(v[p], v[u]), recur(v[s], v[w]); }));
  CHECK(update_work(Method::pipelined, n) == pass([&](auto& v) {
          recur(v[z], v[nn]), recur(v[q], v[m]), recur(v[s], v[w]), recur(v[p], v[u]);
          add(v[x], v[p]), add(v[r], v[s]), add(v[u], v[q]), add(v[w], v[z]);
        }));
  const auto dots = [&](std::initializer_list<std::pair<int, int>> pairs) {
    return pass([&](auto& v) {
      for (const auto& [a, b] : pairs) {
        Counted sum;
        for (std::int64_t i = 0; i < n; ++i) {
          sum += static_cast<Counted>(v[static_cast<std::size_t>(a)][i]) *
                 static_cast<Counted>(v[static_cast<std::size_t>(b)][i]);
        }
      }
    });
  };
  CHECK(dot_work(Method::standard, n) == dots({{p, s}}) + dots({{r, u}, {r, r}}));
  CHECK(dot_work(Method::gropp, n) == dot_work(Method::standard, n));
  CHECK(dot_work(Method::pipelined, n) == dots({{r, u}, {w, u}, {r, r}}));
  CHECK(dot_work(Method::chronopoulos_gear, n) == dot_work(Method::pipelined, n));
}

TEST_CASE("couplings to other ranks are those that a count finds, and their messages") {
  const Index<3> cells{6, 7, 9};
  const System system = system_of(cells, Preconditioner::point);
  std::int64_t couplings = 0;
  for (std::int64_t place = 0; place < system.matrix().padded; ++place) {
    if (system.padding(place)) continue;
    const Index<3> cell = system.cell(place);
    cg_family::plain::row(cells, cell, [&](const Index<3>& other) {
      for (std::size_t d = 0; d < 3; ++d) {
        const int in_block = other[d] - system.block().offset()[d];
        if (in_block < 0 || in_block >= system.block().extents()[d]) ++couplings;
      }
      return 0.0;
    });
  }
  CHECK(system.couplings() == couplings);
  const Work work = halo_work(system);
  CHECK(work.bytes_read == 8 * couplings);  // each cell across a face touches one of ours
  CHECK(work.bytes_written == 8 * couplings);
  CHECK((work.messages > 0) == (size_of(world) > 1));
}
