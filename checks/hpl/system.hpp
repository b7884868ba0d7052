// One system: its matrix, its grid, and what its solves took.
#pragma once

#include <mpi.h>

#include <optional>
#include <vector>

#include "eliminate.hpp"
#include "grid.hpp"
#include "input.hpp"
#include "matrix.hpp"
#include "measure/check.hpp"

namespace hpl {

class System {
 public:
  // Collective. mapping: 0 numbers the processes of the grid by rows, 1 by columns. `card`: where the updates work;
  // null: on the processors.
  System(tenken::Check& check, const Combination& of, int mapping, device::Device* card);
  ~System();
  System(const System&) = delete;
  System& operator=(const System&) = delete;

  void solve();  // collective: makes the matrix, eliminates, substitutes, and finds the residual

  const Combination& of() const { return of_; }
  double seconds() const;                        // median of all solves, each of the slowest rank
  double residual() const { return residual_; }  // of this rank, the largest of all solves

 private:
  tenken::Check& check_;
  Combination of_;
  MPI_Comm ordered_ = MPI_COMM_NULL;
  std::optional<Grid> grid_;
  Elements elements_;
  std::optional<Matrix> matrix_;
  std::optional<Elimination> elimination_;
  Faults faults_;
  std::vector<double> seconds_;
  double residual_ = 0;
};

}  // namespace hpl
