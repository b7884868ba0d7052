#include "pion/correlator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "gauge/start.hpp"
#include "proofs.hpp"
#include "vectors.hpp"

namespace tenken::lqcd {

namespace {

constexpr int components = spins * colours;
constexpr int most_iterations = 5000;
constexpr int most_solves = 5;
// Of the residual in one solve, whose recursion knows nothing better (in mixed precision it would go on for ever).
constexpr double deepest_fall = 1e-13;
constexpr double few_roundings = 4 * std::numeric_limits<double>::epsilon();

using Block = std::array<std::array<Complex<double>, components>, components>;  // of a propagator, [sink][source]

double global(MPI_Comm comm, double x) {
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, comm);
  return x;
}

// gamma_5 changes component 3 spin + colour into this one.
int turned(int component) { return (component + components / 2) % components; }

double largest_asymmetry(const Block& g) {
  double worst = 0;
  for (int i = 0; i < components; ++i) {
    for (int j = 0; j < components; ++j) {
      const Complex<double> d = g[i][j] - conj(g[turned(j)][turned(i)]);
      worst = std::max(worst, std::hypot(d.re, d.im));
    }
  }
  return worst;
}

}  // namespace

Solved solve_to(MPI_Comm comm, Wilson& h, LinearSolver& solver, const Field& b, double tolerance, Field& x) {
  const Geometry& g = h.geometry();
  Field rest = make_field(g), part = make_field(g);
  copy(b, rest);
  std::fill(x.begin(), x.end(), Spinor{});
  const double size = std::sqrt(global(comm, norm2(b)));
  Solved solved;
  for (int n = 0; n < most_solves; ++n) {
    const double before = solved.residual;
    solver.take(rest);
    solver.start();
    const double enough = std::max(tolerance / before, deepest_fall);
    while (solver.iteration() < most_iterations && !(solver.residual() < enough)) solver.step();
    solved.iterations += solver.iteration();
    solver.solution(part);
    axpy(1, part, x);
    solved.residual = residual_of(comm, h, b, x, rest) / size;
    const double d = 1 + directions * 2 * std::abs(h.kappa());  // bounds |D|
    const double rounding = few_roundings * (1 + d * std::sqrt(global(comm, norm2(x))) / size);
    solved.limit = std::max(tolerance, rounding);
    if (solved.residual <= solved.limit || !(solved.residual < before / 2)) break;
  }
  return solved;
}

Pion pion(MPI_Comm comm, Wilson& h, LinearSolver& solver, const Index4& site, double tolerance) {
  const Geometry& g = h.geometry();
  const auto extent = static_cast<std::size_t>(g.block.lattice()[3]);
  const int here = g.local(site);
  Field b = make_field(g), x = make_field(g);
  Block block{};
  Pion pion;
  pion.correlator.resize(extent);
  double largest = 0;
  for (int source = 0; source < components; ++source) {
    fill_point(g, {.site = site, .spin = source / colours, .colour = source % colours}, b);
    const Solved solved = solve_to(comm, h, solver, b, tolerance, x);
    pion.iterations += solved.iterations;
    if (!(solved.residual <= pion.residual)) pion.residual = solved.residual;
    pion.limit = std::max(pion.limit, solved.limit);
    const std::vector<double> x2 = slices(comm, g, x);
    for (std::size_t t = 0; t < extent; ++t) {
      pion.correlator[t] += x2[(t + static_cast<std::size_t>(site[3])) % extent];
    }
    const double all = global(comm, norm2(x));
    pion.sum += all;
    largest = std::max(largest, std::sqrt(all));
    for (int sink = 0; sink < components && here >= 0; ++sink) {
      block[sink][source] = x[here].at[sink / colours][sink % colours];
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, block.data(), 2 * components * components, MPI_DOUBLE, MPI_SUM, comm);
  pion.asymmetry = largest_asymmetry(block) / largest;
  return pion;
}

}  // namespace tenken::lqcd
