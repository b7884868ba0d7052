// The variant `cuda` with its kernels as loops on the host, against `best`, which has the same colours, and against the
// assembled matrices.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "base/random.hpp"
#include "best.hpp"
#include "card.hpp"
#include "gpu/launch.hpp"
#include "gpu/runtime.hpp"
#include "proofs.hpp"
#include "reference.hpp"
#include "work.hpp"

using namespace tenken;
using namespace tenken::hpcg;

namespace {

const MPI_Comm world = MPI_COMM_WORLD;

int ranks_of_world() {
  int ranks = 1;
  MPI_Comm_size(world, &ranks);
  return ranks;
}
bool is_last() {
  int rank = 0;
  MPI_Comm_rank(world, &rank);
  return rank + 1 == ranks_of_world();
}
Index<3> some_grid() { return balanced_grid<3>({64, 64, 64}, ranks_of_world()); }

// Multiples of 8 with odd numbers of cells on the coarsest grid, whose colours are no whole chunks.
const std::vector<Index<3>> sizes{{8, 8, 8}, {24, 8, 40}, {8, 56, 16}};

struct Fixture {
  Fixture(const Index<3>& cells, const Index<3>& ranks, const Faults& faults = {})
      : grids(world, cells, ranks, faults), card(world, *device, grids, faults), b(right_side(grids.grid(0))) {
    card.set(b, true);
  }
  std::unique_ptr<device::Device> device = device::on_host::make_device(0);
  Multigrid grids;
  Card card;
  Buffer<double> b;
};

double multigrid_error(Fixture& f) { return multigrid_asymmetry(world, f.grids.grid(0), f.card, 1); }

// Counts what an iteration reports, as work by step.
class Sums : public Watch {
 public:
  void enter(Step step, int level, const Work& work) override { add(step, level, work); }
  void leave() override {}
  void queue(Step step, int level, const Work& work) override {
    add(step, level, work);
    ++queued;
  }
  void took(double ns) override {
    CHECK(ns >= 0);
    ++measured;
  }
  Work all;
  std::int64_t flop[8] = {};
  int queued = 0, measured = 0;

 private:
  void add(Step step, int, const Work& work) {
    all.flop += work.flop;
    all.messages += work.messages;
    flop[static_cast<int>(step)] += work.flop;
  }
};

template <class Solved>
Sums iteration_of(Solved& solver) {
  Sums sums;
  solver.start();
  solver.step(&sums);
  return sums;
}

}  // namespace

TEST_CASE("a card has the residuals and iterations of `best` on odd sizes") {
  const Index<3> ranks = some_grid();
  for (const Index<3>& cells : sizes) {
    Fixture f(cells, ranks);
    Best best(world, f.grids, {});
    for (const bool preconditioned : {true, false}) {
      CAPTURE(preconditioned);
      best.set(f.b, preconditioned);
      f.card.set(f.b, preconditioned);
      for (int n = 0; n < 10; ++n) {
        best.step(nullptr);
        f.card.step(nullptr);
        CHECK(f.card.residual() == doctest::Approx(best.residual()).epsilon(1e-10));
      }
    }
    const auto solved = [&](Solver& solver) {
      solver.set(f.b, true);
      while (solver.residual() > 1e-12 && solver.iteration() < 100) solver.step(nullptr);
      CHECK(solution_error(world, f.grids.grid(0), solver) < 1e-10);
      return solver.iteration();
    };
    const int of_best = solved(best);
    CHECK(std::abs(solved(f.card) - of_best) <= std::max(1.0, 0.02 * of_best));
  }
}

TEST_CASE("a product and a V-cycle of a card are those of `best`, in any order of threads") {
  const Index<3> ranks = some_grid();
  for (const Index<3>& cells : sizes) {
    Fixture f(cells, ranks);
    Best best(world, f.grids, {});
    best.set(f.b, true);
    const auto rows = static_cast<std::size_t>(f.grids.grid(0).rows());
    std::vector<double> x(rows), expected(rows), found(rows);
    const RandomStream random(7, is_last() ? 1 : 2);
    for (std::size_t i = 0; i < rows; ++i) x[i] = random.uniform(i) - 0.5;
    const auto difference = [&] {
      double worst = 0;
      for (std::size_t i = 0; i < rows; ++i) worst = std::max(worst, std::abs(found[i] - expected[i]));
      return worst;
    };
    for (const bool falling : {false, true}) {
      gpu::on_host::falling_threads(falling);
      best.product(x.data(), expected.data());
      f.card.product(x.data(), found.data());
      CHECK(difference() < 1e-13);
      best.precondition(x.data(), expected.data());
      f.card.precondition(x.data(), found.data());
      CHECK(difference() < 1e-15);
    }
    gpu::on_host::falling_threads(false);
  }
}

TEST_CASE("the rule book's tests hold on a card, and planted mistakes are detected") {
  const Index<3> ranks = some_grid();
  Fixture f({8, 16, 24}, ranks);
  const Grid& grid = f.grids.grid(0);
  CHECK(ones_error(world, grid, f.card, f.b) == 0);
  CHECK(spmv_asymmetry(world, grid, f.card, 1) < 1e-15);
  CHECK(multigrid_error(f) < 1e-13);
  CHECK(near_diagonal_iterations(grid, f.card, f.b, false) <= 12);
  CHECK(near_diagonal_iterations(grid, f.card, f.b, true) <= 2);
  Fixture skipped({16, 16, 16}, ranks, {.skipped_row = is_last()});
  CHECK(multigrid_error(skipped) > 1e-8);
  Fixture lost({16, 16, 16}, ranks, {.lost_colour = is_last()});
  CHECK(multigrid_error(lost) > 1e-8);
  if (ranks_of_world() == 1) return;
  Fixture stale({16, 16, 16}, ranks, {.stale_halo = is_last()});
  CHECK(ones_error(world, stale.grids.grid(0), stale.card, stale.b) > 0.5);
}

TEST_CASE("an iteration on a card counts the flop and messages of the rule book, and every part has a time") {
  Fixture f({24, 8, 16}, some_grid());
  Reference reference(world, f.grids);
  Best best(world, f.grids, {});
  for (Solver* each : {static_cast<Solver*>(&reference), static_cast<Solver*>(&best)}) each->set(f.b, true);
  const Sums card = iteration_of(f.card), expected = iteration_of(reference), of_best = iteration_of(best);
  CHECK(card.all.flop == expected.all.flop);
  CHECK(card.all.messages == of_best.all.messages);
  CHECK(card.queued == card.measured);
  CHECK(card.queued == 7 + 3 * 2 + 3 + 3);  // sweeps; moves between grids; sums; product and updates
  const auto of = [](const Sums& sums, Step step) { return sums.flop[static_cast<int>(step)]; };
  CHECK(of(card, Step::dot) == of(expected, Step::dot));
  CHECK(of(card, Step::waxpby) == of(expected, Step::waxpby));
  CHECK(of(card, Step::restriction) == of(of_best, Step::restriction));
}

TEST_CASE("values of the matrices on a card add up to those of the host, padding being 0") {
  for (const Index<3>& cells : sizes) {
    Fixture f(cells, some_grid());
    Best best(world, f.grids, {});
    CHECK(f.card.read_matrices() == best.read_matrices());
    CHECK(f.card.read_matrices() == best.read_matrices());  // nothing is left of the sums before
  }
}

TEST_CASE("memory of a card is that of the formula, and too little of it is refused") {
  auto& stand_in = gpu::on_host::stand_in();
  const std::int64_t before = stand_in.in_use;
  const Index<3> cells{48, 40, 48};
  {
    Fixture f(cells, some_grid());
    const double used = static_cast<double>(stand_in.in_use - before), stated = Card::bytes(cells);
    CHECK(std::abs(used - stated) < 0.05 * stated);
  }
  CHECK(stand_in.in_use == before);
  if (ranks_of_world() > 1) return;
  const std::int64_t all = stand_in.card.memory_bytes;
  stand_in.card.memory_bytes = before + (1 << 20);
  CHECK_THROWS_WITH_AS(Fixture(cells, {1, 1, 1}), doctest::Contains("of the matrix failed"), UserError);
  stand_in.card.memory_bytes = all;
}
