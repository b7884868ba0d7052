#include <doctest/doctest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "best.hpp"
#include "colours.hpp"
#include "proofs.hpp"
#include "reference.hpp"
#include "testing/counting.hpp"
#include "work.hpp"

using namespace tenken;
using namespace tenken::hpcg;

namespace {

const MPI_Comm world = MPI_COMM_WORLD;

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

// Every grid of this many ranks.
std::vector<Index<3>> grids() {
  std::vector<Index<3>> all;
  const int ranks = size_of(world);
  for (int x = 1; x <= ranks; ++x) {
    for (int y = 1; x * y <= ranks; ++y) {
      if (ranks % (x * y) == 0) all.push_back({x, y, ranks / (x * y)});
    }
  }
  return all;
}

std::unique_ptr<Solver> make(Multigrid& multigrid, bool best, const Faults& faults) {
  std::unique_ptr<Solver> solver;
  if (best) {
    solver = std::make_unique<Best>(world, multigrid, faults);
  } else {
    solver = std::make_unique<Reference>(world, multigrid);
  }
  solver->set(right_side(multigrid.grid(0)), true);
  return solver;
}

// One V-cycle from 0 with the assembled matrices, row by row in the order of the colours.
std::vector<double> plain_cycle(const Multigrid& multigrid, int level, const std::vector<double>& r) {
  const Csr<double>& a = multigrid.grid(level).matrix();
  const Index<3>& own = multigrid.grid(level).block().extents();
  const std::vector<std::int32_t> order = eight_colours(own).order;
  std::vector<double> x(r.size());
  const auto rest = [&](std::int64_t row) {
    double sum = r[static_cast<std::size_t>(row)];
    for (std::int64_t n = a.row(row).first; n < a.row(row).last; ++n) {
      sum -= a.value[static_cast<std::size_t>(n)] * x[static_cast<std::size_t>(a.column[static_cast<std::size_t>(n)])];
    }
    return sum;
  };
  const auto relax = [&](std::int32_t row) { x[static_cast<std::size_t>(row)] += rest(row) / (points - 1); };
  const auto sweep = [&] {
    std::for_each(order.begin(), order.end(), relax);
    std::for_each(order.rbegin(), order.rend(), relax);
  };
  sweep();
  if (level + 1 == levels) return x;
  const Index<3>& half = multigrid.grid(level + 1).block().extents();
  std::vector<std::size_t> kept;
  std::vector<double> coarse;
  for (std::int64_t i = 0; i < product(half); ++i) {
    Index<3> at = coordinates(i, half);
    for (int& each : at) each *= 2;
    kept.push_back(static_cast<std::size_t>(position(at, own)));
    coarse.push_back(rest(static_cast<std::int64_t>(kept.back())));
  }
  const std::vector<double> correction = plain_cycle(multigrid, level + 1, coarse);
  for (std::size_t i = 0; i < kept.size(); ++i) x[kept[i]] += correction[i];
  sweep();
  return x;
}

}  // namespace

TEST_CASE("the rule book's tests hold on every grid of ranks, for each variant") {
  for (const Index<3>& ranks : grids()) {
    Multigrid multigrid(world, {8, 16, 8}, ranks, {});
    const Grid& grid = multigrid.grid(0);
    const Buffer<double> b = right_side(grid);
    for (const bool best : {false, true}) {
      CAPTURE(best);
      const auto solver = make(multigrid, best, {});
      CHECK(ones_error(world, grid, *solver, b) == 0);
      CHECK(spmv_asymmetry(world, grid, *solver, 1) < 1e-15);
      CHECK(multigrid_asymmetry(world, grid, *solver, 1) < 1e-13);
      CHECK(near_diagonal_iterations(grid, *solver, b, false) <= 12);
      CHECK(near_diagonal_iterations(grid, *solver, b, true) <= 2);
      solver->start();
      while (solver->iteration() < 50 && solver->residual() > 1e-13) solver->step(nullptr);
      CHECK(solution_error(world, grid, *solver) < 1e-10);
    }
  }
}

TEST_CASE("planted mistakes are found, in each variant") {
  const Index<3> ranks = balanced_grid<3>({64, 64, 64}, size_of(world));
  for (const bool best : {false, true}) {
    CAPTURE(best);
    const Faults skip{.skipped_row = is_last()};
    Multigrid skipped(world, {16, 16, 16}, ranks, skip);
    CHECK(multigrid_asymmetry(world, skipped.grid(0), *make(skipped, best, skip), 1) > 1e-8);
    if (size_of(world) == 1) continue;
    const Faults stale{.stale_halo = is_last()};
    Multigrid alone(world, {16, 16, 16}, ranks, stale);
    CHECK(ones_error(world, alone.grid(0), *make(alone, best, stale), right_side(alone.grid(0))) > 0.5);
  }
  const Faults lost{.lost_colour = is_last()};
  Multigrid multigrid(world, {16, 16, 16}, ranks, lost);
  CHECK(multigrid_asymmetry(world, multigrid.grid(0), *make(multigrid, true, lost), 1) > 1e-8);
}

TEST_CASE("the V-cycle of `best` is one of plain sweeps in the order of its colours, on any number of threads") {
  if (size_of(world) > 1) return;
  for (const Index<3>& cells : {Index<3>{8, 8, 8}, Index<3>{16, 8, 24}}) {
    Multigrid multigrid(world, cells, {1, 1, 1}, {});
    const auto rows = static_cast<std::size_t>(multigrid.grid(0).rows());
    std::vector<double> r(rows), found(rows);
    for (std::size_t i = 0; i < rows; ++i) r[i] = std::sin(1.0 + 0.3 * static_cast<double>(i));
    const std::vector<double> expected = plain_cycle(multigrid, 0, r);
    const int usual = omp_get_max_threads();
    for (const int threads : {1, 3}) {
      omp_set_num_threads(threads);
      make(multigrid, true, {})->precondition(r.data(), found.data());
      for (std::size_t i = 0; i < rows; ++i) CHECK(std::abs(found[i] - expected[i]) < 1e-14);
    }
    omp_set_num_threads(usual);
  }
}

TEST_CASE("a sweep is that of dense triangles: x += (D + U)^-1 D (D + L)^-1 (r - A x)") {
  if (size_of(world) > 1) return;
  Grid grid(world, {4, 4, 4}, {1, 1, 1});
  const Csr<double>& a = grid.matrix();
  const auto n = static_cast<std::size_t>(grid.rows());
  std::vector<double> dense(n * n), r(n), x(n), expected(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::int64_t k = a.row(static_cast<std::int64_t>(i)).first; k < a.row(static_cast<std::int64_t>(i)).last;
         ++k) {
      dense[i * n + static_cast<std::size_t>(a.column[static_cast<std::size_t>(k)])] =
          a.value[static_cast<std::size_t>(k)];
    }
    r[i] = std::sin(1.0 + static_cast<double>(i));
    x[i] = expected[i] = std::cos(2.0 + 3.0 * static_cast<double>(i));
  }
  std::vector<double> d(n);
  for (std::size_t i = 0; i < n; ++i) {
    d[i] = r[i];
    for (std::size_t j = 0; j < n; ++j) d[i] -= dense[i * n + j] * x[j];
  }
  for (std::size_t i = 0; i < n; ++i) {  // (D + L)^-1
    for (std::size_t j = 0; j < i; ++j) d[i] -= dense[i * n + j] * d[j];
    d[i] /= dense[i * n + i];
  }
  for (std::size_t i = 0; i < n; ++i) d[i] *= dense[i * n + i];
  for (std::size_t i = n; i-- > 0;) {  // (D + U)^-1
    for (std::size_t j = i + 1; j < n; ++j) d[i] -= dense[i * n + j] * d[j];
    d[i] /= dense[i * n + i];
  }
  for (std::size_t i = 0; i < n; ++i) expected[i] += d[i];
  const auto places = diagonal_places(a);
  symmetric_gauss_seidel(a, places.data(), r.data(), x.data());
  for (std::size_t i = 0; i < n; ++i) CHECK(std::abs(x[i] - expected[i]) < 1e-14);
}

TEST_CASE("entries and work are those of a count at 8^3") {
  const Index<3> ranks = balanced_grid<3>({64, 64, 64}, size_of(world));
  const Grid grid(world, {8 * ranks[0], 8 * ranks[1], 8 * ranks[2]}, ranks);
  std::int64_t entries = 1;
  for (const int each : ranks) entries *= 3 * 8 * each - 2;
  CHECK(grid.global_entries() == entries);

  // Each sweep reads every entry, start of a row, place of a diagonal, r and x once, and writes x.
  const std::int64_t nnz = grid.matrix().entries(), rows = grid.rows();
  std::int64_t flop = 0, read = 0, written = 0;
  std::vector<bool> touched(static_cast<std::size_t>(grid.columns()));
  for (int sweep = 0; sweep < 2; ++sweep) {
    std::fill(touched.begin(), touched.end(), false);
    read += 8;  // the last start
    for (std::int64_t row = 0; row < rows; ++row) {
      read += 8 + 8 + 8;
      for (std::int64_t k = grid.matrix().row(row).first; k < grid.matrix().row(row).last; ++k) {
        flop += 2;
        read += 12;
        auto one = touched[static_cast<std::size_t>(grid.matrix().column[static_cast<std::size_t>(k)])];
        if (!one) read += 8;
        one = true;
      }
      written += 8;
    }
  }
  CHECK(symgs_work(grid) == Work{.flop = flop, .bytes_read = read, .bytes_written = written});
  CHECK(flop == 4 * nnz);
}
