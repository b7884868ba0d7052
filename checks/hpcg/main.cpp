#include <string>

#include "base/error.hpp"
#include "measure/check.hpp"
#include "measure/clock.hpp"
#include "numerics/replay.hpp"
#include "proofs.hpp"
#include "this_check.hpp"
#include "timed.hpp"

namespace {

using namespace tenken;
using namespace tenken::hpcg;
namespace validity = this_check::validity;

constexpr int set = 50;  // iterations, as the rule book has them

void body(Check& check) {
  const Index<3> cells = cells_of(check), ranks = ranks_of(check);
  require_memory(check, cells);
  const auto seed = static_cast<std::uint64_t>(check.parameters().integer("seed"));
  const bool last = check.rank() + 1 == check.ranks();
  const std::int64_t begin = monotonic_ns();
  Multigrid multigrid(
      check.comm(), cells, ranks,
      {.stale_halo = last && check.fault("stale_halo"), .skipped_row = last && check.fault("skipped_row")});
  check.value("setup_seconds", "s", check.max_over_ranks(static_cast<double>(monotonic_ns() - begin) * 1e-9));

  Grid& grid = multigrid.grid(0);
  const Buffer<double> b = right_side(grid);
  check.prove(validity::ones, ones_error(check.comm(), grid, b));
  check.prove(validity::symmetry_spmv, spmv_asymmetry(check.comm(), grid, seed));
  check.prove(validity::symmetry_multigrid, multigrid_asymmetry(check.comm(), multigrid, seed));
  check.prove(validity::near_diagonal, near_diagonal_iterations(check.comm(), multigrid, b, false));
  check.prove(validity::near_diagonal_multigrid, near_diagonal_iterations(check.comm(), multigrid, b, true));

  Cg cg(check.comm(), multigrid, b);
  Untimed untimed{cg};
  Replay replay;
  replay.rehearse(untimed, set, 0);
  check.prove(validity::solution, solution_error(check.comm(), grid, cg.x()));
  Timed timed{multigrid, cg, check.ranks()};
  check.repeat([&](int repetition) { replay.step(timed, repetition); });
  check.prove(validity::repeat, check.max_over_ranks(replay.deviation()));
  check.table(history_table("residual_history", "|r| / |b|", replay.residuals()));
  check.value("iterations", "1", replay.iterations());
  check.value("residual", "1", replay.last());
  check.value("entries", "1", static_cast<double>(grid.global_entries()));
  check.value("working_set_bytes", "B", check.sum_over_ranks(working_set_bytes(multigrid)));
}

}  // namespace

int main(int argc, char** argv) { return run_check(argc, argv, this_check::table, body); }
