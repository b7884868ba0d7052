#include "proofs.hpp"

#include <cmath>
#include <numbers>

#include "base/random.hpp"
#include "numerics/dots.hpp"
#include "numerics/vectors.hpp"

namespace tenken::hpcg {

namespace {

constexpr double norm_bound = 2 * (points - 1);

double largest(MPI_Comm comm, double x) {
  double values[2] = {std::isnan(x) ? 0.0 : x, std::isnan(x) ? 1.0 : 0.0};
  MPI_Allreduce(MPI_IN_PLACE, values, 2, MPI_DOUBLE, MPI_MAX, comm);
  return values[1] > 0 ? std::nan("") : values[0];
}

double dot_of(MPI_Comm comm, const Grid& grid, const Buffer<double>& x, const Buffer<double>& y) {
  double sum = Dots(grid.rows())(x.data(), y.data());
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
  return sum;
}
double length(MPI_Comm comm, const Grid& grid, const Buffer<double>& x) { return std::sqrt(dot_of(comm, grid, x, x)); }

Buffer<double> random_vector(const Grid& grid, std::uint64_t seed, std::uint64_t stream) {
  const RandomStream random(seed, stream);
  auto x = grid.vector("a vector of a proof");
  for (std::int64_t row = 0; row < grid.rows(); ++row) {
    x[static_cast<std::size_t>(row)] = 1 + random.uniform(static_cast<std::uint64_t>(grid.number(grid.cell(row))));
  }
  return x;
}

Buffer<double> product(const Grid& grid, Solver& solver, const Buffer<double>& x) {
  auto y = grid.vector("a product of a proof");
  solver.product(x.data(), y.data());
  return y;
}

double worst_of(const Buffer<double>& x, std::int64_t rows, const auto& error) {
  double worst = 0;
  for (std::int64_t row = 0; row < rows; ++row) {
    const double one = std::abs(error(row, x[static_cast<std::size_t>(row)]));
    if (!(one <= worst)) worst = one;
  }
  return worst;
}

}  // namespace

Buffer<double> right_side(const Grid& grid) {
  auto b = grid.vector("the right side");
  const Index<3>& cells = grid.block().cells();
  for (std::int64_t row = 0; row < grid.rows(); ++row) {
    const Index<3> cell = grid.cell(row);
    int around = 1;
    for (std::size_t d = 0; d < 3; ++d) around *= 1 + (cell[d] > 0 ? 1 : 0) + (cell[d] + 1 < cells[d] ? 1 : 0);
    b[static_cast<std::size_t>(row)] = points - around;
  }
  return b;
}

double ones_error(MPI_Comm comm, const Grid& grid, Solver& solver, const Buffer<double>& b) {
  auto ones = grid.vector("the solution");
  fill(grid.rows(), 1.0, ones.data());
  const Buffer<double> y = product(grid, solver, ones);
  return largest(comm, worst_of(y, grid.rows(), [&](std::int64_t row, double found) {
                   return found - b[static_cast<std::size_t>(row)];
                 }));
}

double spmv_asymmetry(MPI_Comm comm, const Grid& grid, Solver& solver, std::uint64_t seed) {
  const Buffer<double> x = random_vector(grid, seed, 1), y = random_vector(grid, seed, 2);
  const Buffer<double> ax = product(grid, solver, x), ay = product(grid, solver, y);
  const double there = dot_of(comm, grid, x, ay), back = dot_of(comm, grid, y, ax);
  return std::abs(there - back) / (norm_bound * length(comm, grid, x) * length(comm, grid, y));
}

double multigrid_asymmetry(MPI_Comm comm, const Grid& grid, Solver& solver, std::uint64_t seed) {
  const Buffer<double> x = random_vector(grid, seed, 1), y = random_vector(grid, seed, 2);
  auto mx = grid.vector("a product of a proof"), my = grid.vector("a product of a proof");
  solver.precondition(x.data(), mx.data());
  solver.precondition(y.data(), my.data());
  const double there = dot_of(comm, grid, x, my), back = dot_of(comm, grid, y, mx);
  return std::abs(there - back) / (length(comm, grid, x) * length(comm, grid, my));
}

int near_diagonal_iterations(const Grid& grid, Solver& solver, const Buffer<double>& b, bool preconditioned) {
  constexpr double large = 1e6, enough = 1e-12;
  constexpr int most = 50;
  auto scale = grid.vector("a scale of the diagonal"), scaled = grid.vector("a scaled right side");
  for (std::int64_t row = 0; row < grid.rows(); ++row) {
    const std::int64_t number = grid.number(grid.cell(row));
    const double by = large * (number < 9 ? static_cast<double>(number) + 2 : 1);
    scale[static_cast<std::size_t>(row)] = by;
    scaled[static_cast<std::size_t>(row)] = b[static_cast<std::size_t>(row)] * by;
  }
  solver.scale_diagonal(scale.data());
  solver.set(scaled, preconditioned);
  while (solver.iteration() < most && !(solver.residual() < enough)) solver.step(nullptr);
  const int iterations = solver.iteration();
  solver.scale_diagonal(nullptr);
  solver.set(b);
  return iterations;
}

double solution_error(MPI_Comm comm, const Grid& grid, const Solver& solver) {
  auto x = grid.vector("a solution");
  solver.solution(x.data());
  return largest(comm, worst_of(x, grid.rows(), [](std::int64_t, double found) { return found - 1; }));
}

SolutionBound solution_bound(MPI_Comm comm, const Grid& grid, const Buffer<double>& b) {
  double product = 1;
  for (const int cells : grid.block().cells()) product *= 1 + 2 * std::cos(std::numbers::pi / (cells + 1));
  return {length(comm, grid, b), points - product};
}

}  // namespace tenken::hpcg
