// The rule book's tests, of any variant. `grid` is the finest; its matrix is not looked at. All collective.
#pragma once

#include "grid.hpp"
#include "solver.hpp"

namespace tenken::hpcg {

// Right side whose solution is 1 everywhere: 26 less the neighbours of each cell, by its place alone.
Buffer<double> right_side(const Grid& grid);

// Greatest |b - A 1|.
double ones_error(MPI_Comm comm, const Grid& grid, Solver& solver, const Buffer<double>& b);

// |x.Ay - y.Ax| / (52 |x| |y|), |A| being at most 52.
double spmv_asymmetry(MPI_Comm comm, const Grid& grid, Solver& solver, std::uint64_t seed);

// |x.My - y.Mx| / (|x| |My|).
double multigrid_asymmetry(MPI_Comm comm, const Grid& grid, Solver& solver, std::uint64_t seed);

// Iterations to 1e-12, at most 50, where the diagonal and b are a million times larger, of the first nine rows 2 to 10
// million times. The matrix is as before afterwards, and b the right side.
int near_diagonal_iterations(const Grid& grid, Solver& solver, const Buffer<double>& b, bool preconditioned);

// Greatest |x - 1|.
double solution_error(MPI_Comm comm, const Grid& grid, const Solver& solver);

// What it can be at most: |x - 1| <= |b - A x| / the smallest eigenvalue, 27 - prod (1 + 2 cos(pi / (cells + 1))) of
// A = 27 - T x T x T, T = tridiag(1, 1, 1). `residual` is |b - A x| / |b|.
struct SolutionBound {
  double right_side_norm, smallest_eigenvalue;
  double at(double residual) const { return residual * right_side_norm / smallest_eigenvalue + 1e-12; }
};
SolutionBound solution_bound(MPI_Comm comm, const Grid& grid, const Buffer<double>& b);

}  // namespace tenken::hpcg
