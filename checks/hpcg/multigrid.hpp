// The preconditioner: one V-cycle over four grids, each with half of the cells of the one before in each direction, one
// symmetric Gauss-Seidel sweep before and after, injection between them, one sweep on the coarsest.
#pragma once

#include <memory>
#include <vector>

#include "grid.hpp"
#include "kernel.hpp"
#include "numerics/dots.hpp"
#include "numerics/vectors.hpp"
#include "solver.hpp"

namespace tenken::hpcg {

struct Faults {
  bool stale_halo = false;   // what others have never arrives on the finest grid
  bool skipped_row = false;  // a row is forgotten when residuals are restricted
  bool lost_colour = false;  // of `best` and `cuda`: backward sweeps of the finest grid leave a colour out
};

class Multigrid {
 public:
  // cells: of each rank, multiples of 8. Collective.
  Multigrid(MPI_Comm comm, const Index<3>& cells, const Index<3>& ranks, const Faults& faults);

  Grid& grid(int level) { return *at_[static_cast<std::size_t>(level)].grid; }
  const Grid& grid(int level) const { return *at_[static_cast<std::size_t>(level)].grid; }

  // z = M^-1 r. open(step, level) as in Cg::step.
  template <class Open>
  void apply(const double* r, double* z, const Open& open) {
    cycle(0, r, z, open);
  }

  // Forgets the matrices and vectors, where another storage has taken their place: the grids remain.
  void release();

  // Bytes of a rank.
  static double bytes(const Index<3>& cells);

 private:
  struct Level {
    std::unique_ptr<Grid> grid;
    Buffer<std::int64_t> diagonal;
    Buffer<std::int32_t> fine;  // row of each row of the next grid
    Buffer<double> ax;          // A x of it
    Buffer<double> r, x;        // of the next grid
  };

  template <class Open>
  void smooth(int level, const double* r, double* x, const Open& open);
  template <class Open>
  void cycle(int level, const double* r, double* x, const Open& open);

  std::vector<Level> at_;
  Faults faults_;
};

template <class Open>
void Multigrid::smooth(int level, const double* r, double* x, const Open& open) {
  Level& here = at_[static_cast<std::size_t>(level)];
  {
    [[maybe_unused]] const auto part = open(Step::halo, level);
    here.grid->exchange(x);
  }
  [[maybe_unused]] const auto part = open(Step::symgs, level);
  symmetric_gauss_seidel(here.grid->matrix(), here.diagonal.data(), r, x);
}

template <class Open>
void Multigrid::cycle(int level, const double* r, double* x, const Open& open) {
  Level& here = at_[static_cast<std::size_t>(level)];
  fill(here.grid->columns(), 0.0, x);
  smooth(level, r, x, open);
  if (level + 1 == levels) return;
  {
    [[maybe_unused]] const auto part = open(Step::halo, level);
    here.grid->exchange(x);
  }
  {
    [[maybe_unused]] const auto part = open(Step::spmv, level);
    multiply(here.grid->matrix(), x, here.ax.data());
  }
  const auto coarse = static_cast<std::int64_t>(here.fine.size());
  {
    [[maybe_unused]] const auto part = open(Step::restriction, level);
    const std::int32_t* const fine = here.fine.data();
    for (std::int64_t i = 0; i < coarse; ++i)
      here.r[static_cast<std::size_t>(i)] = r[fine[i]] - here.ax[static_cast<std::size_t>(fine[i])];
    if (faults_.skipped_row) here.r[static_cast<std::size_t>(coarse / 2)] = 0;
  }
  cycle(level + 1, here.r.data(), here.x.data(), open);
  {
    [[maybe_unused]] const auto part = open(Step::prolongation, level);
    for (std::int64_t i = 0; i < coarse; ++i)
      x[here.fine[static_cast<std::size_t>(i)]] += here.x[static_cast<std::size_t>(i)];
  }
  smooth(level, r, x, open);
}

}  // namespace tenken::hpcg
