#include "qcd/pion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "qcd/gauge/start.hpp"
#include "qcd/proofs.hpp"
#include "qcd/vectors.hpp"

namespace tenken::qcd {

namespace {

constexpr int most_iterations = 5000;
constexpr int most_solves = 5;
// Of the residual in one solve, whose recursion knows nothing better (in mixed precision it would go on for ever).
constexpr double deepest_fall = 1e-13;
// What is asked of a solve for the rest, at least: with less it may stop before it has done anything.
constexpr double least_fall = 0.1;
// A solve that was asked for so much and did not halve |b - D x| has met rounding.
constexpr double telling_fall = 1e-6;
constexpr double few_roundings = 4 * std::numeric_limits<double>::epsilon();

using Block = std::array<std::array<Complex<double>, point_sources>, point_sources>;  // of a propagator, [sink][source]

double global(MPI_Comm comm, double x) {
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, comm);
  return x;
}

// gamma_5 changes component 3 spin + colour into this one.
int turned(int component) { return (component + point_sources / 2) % point_sources; }

double largest_asymmetry(const Block& g) {
  double worst = 0;
  for (int i = 0; i < point_sources; ++i) {
    for (int j = 0; j < point_sources; ++j) {
      const Complex<double> d = g[i][j] - conj(g[turned(j)][turned(i)]);
      worst = std::max(worst, std::hypot(d.re, d.im));
    }
  }
  return worst;
}

}  // namespace

std::vector<Field> make_fields(const Geometry& g, int count) {
  std::vector<Field> fields;
  for (int k = 0; k < count; ++k) fields.push_back(make_field(g));
  return fields;
}

void fill_sources(const Geometry& g, const Index4& site, int first, std::span<Field> b) {
  for (std::size_t k = 0; k < b.size(); ++k) {
    const int component = (first + static_cast<int>(k)) % point_sources;
    fill_point(g, {.site = site, .spin = component / colours, .colour = component % colours}, b[k]);
  }
}

std::vector<Solved> solve_to(MPI_Comm comm, Wilson& h, LinearSolver& solver, std::span<const Field> b, double tolerance,
                             std::span<Field> x) {
  const Geometry& g = h.geometry();
  const std::size_t count = b.size();
  std::vector<Field> rest = make_fields(g, solver.sources()), part = make_fields(g, solver.sources());
  std::vector<double> size(count), enough(count);
  // How much less |b - D x| fell than the solver's own residual, which may be that of the normal equations.
  std::vector<double> lost(count, 1);
  std::vector<Solved> solved(count);
  std::vector<bool> open(count);  // not yet as good as it gets
  for (std::size_t k = 0; k < count; ++k) {
    copy(b[k], rest[k]);
    std::fill(x[k].begin(), x[k].end(), Spinor{});
    size[k] = std::sqrt(global(comm, norm2(b[k])));
    open[k] = size[k] > 0;
    if (!open[k]) solved[k].residual = 0;
  }
  for (int n = 0; n < most_solves && std::ranges::find(open, true) != open.end(); ++n) {
    for (std::size_t k = 0; k < count; ++k) {
      if (!open[k]) std::fill(rest[k].begin(), rest[k].end(), Spinor{});
      const double fall = tolerance / solved[k].residual / lost[k];
      enough[k] = std::max(n == 0 ? fall : std::min(fall, least_fall), deepest_fall);
    }
    solver.take(rest);
    solver.start();
    std::vector<bool> running = open;
    const auto stop_the_done = [&] {
      for (std::size_t k = 0; k < count; ++k) {
        if (!running[k] || !(solver.residual(static_cast<int>(k)) < enough[k])) continue;
        solver.stop(static_cast<int>(k));
        running[k] = false;
      }
      return std::ranges::find(running, true) != running.end();
    };
    while (stop_the_done() && solver.iteration() < most_iterations) {
      solver.step();
      for (std::size_t k = 0; k < count; ++k) solved[k].iterations += running[k] ? 1 : 0;
    }
    solver.solution(part);
    for (std::size_t k = 0; k < count; ++k) {
      if (!open[k]) continue;
      const double before = solved[k].residual;
      axpy(1, part[k], x[k]);
      solved[k].residual = residual_of(comm, h, b[k], x[k], rest[k]) / size[k];
      const double d = 1 + directions * 2 * std::abs(h.kappa());  // bounds |D|
      const double rounding = few_roundings * (1 + d * std::sqrt(global(comm, norm2(x[k]))) / size[k]);
      solved[k].limit = std::max(tolerance, rounding);
      lost[k] = std::max(lost[k], solved[k].residual / before / enough[k]);
      const bool rounded = solved[k].residual > before / 2 && enough[k] <= telling_fall;
      open[k] = solved[k].residual > solved[k].limit && !rounded;
    }
  }
  return solved;
}

Pion pion(MPI_Comm comm, Wilson& h, LinearSolver& solver, const Index4& site, double tolerance) {
  const Geometry& g = h.geometry();
  const auto extent = static_cast<std::size_t>(g.block.lattice()[3]);
  const int here = g.local(site);
  const int together = solver.sources();
  std::vector<Field> b = make_fields(g, together), solutions = make_fields(g, together);
  Block block{};
  Pion pion;
  pion.correlator.resize(extent);
  double largest = 0;
  for (int first = 0; first < point_sources; first += together) {
    fill_sources(g, site, first, b);
    const std::vector<Solved> group = solve_to(comm, h, solver, b, tolerance, solutions);
    for (std::size_t k = 0; k < group.size(); ++k) {
      const Solved& solved = group[k];
      const Field& x = solutions[k];
      const int source = first + static_cast<int>(k);
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
      for (int sink = 0; sink < point_sources && here >= 0; ++sink) {
        block[sink][source] = x[here].at[sink / colours][sink % colours];
      }
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, block.data(), 2 * point_sources * point_sources, MPI_DOUBLE, MPI_SUM, comm);
  pion.asymmetry = largest_asymmetry(block) / largest;
  return pion;
}

}  // namespace tenken::qcd
