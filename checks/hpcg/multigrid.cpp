#include "multigrid.hpp"

namespace tenken::hpcg {

Multigrid::Multigrid(MPI_Comm comm, const Index<3>& cells, const Index<3>& ranks, const Faults& faults)
    : faults_(faults) {
  Index<3> own = cells;
  for (int level = 0; level < levels; ++level) {
    Index<3> all;
    for (std::size_t d = 0; d < 3; ++d) all[d] = own[d] * ranks[d];
    Level here;
    here.grid = std::make_unique<Grid>(comm, all, ranks);
    here.diagonal = diagonal_places(here.grid->matrix());
    if (level + 1 < levels) {
      Index<3> half = own;
      for (int& each : half) each /= 2;
      here.ax = here.grid->vector("a product on a grid");
      here.fine = make_array<std::int32_t>(product(half), "rows of the next grid");
      for (std::int64_t i = 0; i < product(half); ++i) {
        Index<3> at = coordinates(i, half);
        for (int& each : at) each *= 2;
        here.fine[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(position(at, own));
      }
      own = half;
    }
    at_.push_back(std::move(here));
  }
  for (int level = 0; level + 1 < levels; ++level) {
    Level& here = at_[static_cast<std::size_t>(level)];
    here.r = grid(level + 1).vector("a residual on a grid");
    here.x = grid(level + 1).vector("a correction on a grid");
  }
  if (faults.stale_halo) grid(0).make_halo_stale();
}

void Multigrid::release() {
  for (Level& level : at_) {
    level.grid->release_matrix();
    level.diagonal = {};
    level.fine = {};
    level.ax = {};
    level.r = {};
    level.x = {};
  }
}

double Multigrid::bytes(const Index<3>& cells) {
  // Of each grid: the matrix with its starts of rows, places of the diagonal, a product; of all but the finest a
  // residual, a correction and the place in the finer one.
  constexpr double a_cell = 8 + 8 + 8, below = 8 + 8 + 4;
  return all_grids * 12 * estimated_entries(cells) +
         static_cast<double>(product(cells)) * (all_grids * a_cell + (all_grids - 1) * below) +
         2 * Numbering<3>::bytes(cells, sizeof(double));
}

}  // namespace tenken::hpcg
