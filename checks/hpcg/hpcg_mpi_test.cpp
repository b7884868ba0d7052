#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "numerics/replay.hpp"
#include "proofs.hpp"
#include "testing/counting.hpp"
#include "work.hpp"

using namespace tenken;
using namespace tenken::hpcg;

namespace {

const MPI_Comm world = MPI_COMM_WORLD;
constexpr auto untimed = [](Step, int) { return 0; };

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

}  // namespace

TEST_CASE("the rule book's tests hold on every grid of ranks") {
  for (const Index<3>& ranks : grids()) {
    Multigrid multigrid(world, {8, 16, 8}, ranks, {});
    const Buffer<double> b = right_side(multigrid.grid(0));
    CHECK(ones_error(world, multigrid.grid(0), b) == 0);
    CHECK(spmv_asymmetry(world, multigrid.grid(0), 1) < 1e-15);
    CHECK(multigrid_asymmetry(world, multigrid, 1) < 1e-13);
    CHECK(near_diagonal_iterations(world, multigrid, b, false) <= 12);
    CHECK(near_diagonal_iterations(world, multigrid, b, true) <= 2);
    Cg cg(world, multigrid, b);
    cg.start();
    while (cg.iteration() < 50 && cg.residual() > 1e-13) cg.step(untimed);
    CHECK(solution_error(world, multigrid.grid(0), cg.x()) < 1e-10);
  }
}

TEST_CASE("planted mistakes are found") {
  const Index<3> ranks = balanced_grid<3>({64, 64, 64}, size_of(world));
  Multigrid skipped(world, {16, 16, 16}, ranks, {.skipped_row = is_last()});
  CHECK(multigrid_asymmetry(world, skipped, 1) > 1e-8);
  if (size_of(world) == 1) return;
  Multigrid stale(world, {16, 16, 16}, ranks, {.stale_halo = is_last()});
  CHECK(ones_error(world, stale.grid(0), right_side(stale.grid(0))) > 0.5);
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
