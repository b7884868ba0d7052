// The pion correlator of one gauge field, from the 12 solutions of D x = b for b = 1 in one component (4 spins, 3
// colours) of one site:
//
//   C(t) = sum over space of tr S(x)^dagger S(x) = sum over the 12 sources and all components of |x|^2 in time slice t,
//
// because gamma_5 S(0; x) gamma_5 = S(x; 0)^dagger: the propagator S = D^-1 from the source to x is all that is needed.
#pragma once

#include <span>
#include <vector>

#include "qcd/solver.hpp"

namespace tenken::qcd {

constexpr int point_sources = spins * colours;

// x = D^-1 b.
struct Solved {
  int iterations = 0;
  double residual = 1;  // |b - D x| / |b| by the plain operator in double precision
  double limit = 0;     // what it should be at most: the tolerance, or rounding where that is more
};

// Solves for solver.sources() right-hand sides together, computes each b - D x anew, and solves for the rest as long as
// it is above the limit and still falls; from each it learns how much deeper to solve, since the residual of normal
// equations may fall far below that of the system. A tolerance below rounding, (1 + 8 kappa) |x| / |b| times a few
// 1e-16, thus gives all digits that double precision has. A source that is done, or zero (x = 0), does not change any
// more while others go on, so that the answer does not depend on what it is solved together with, but for rounding.
std::vector<Solved> solve_to(MPI_Comm comm, Wilson& h, LinearSolver& solver, std::span<const Field> b, double tolerance,
                             std::span<Field> x);

std::vector<Field> make_fields(const Geometry& g, int count);

// The point sources first, first + 1, … of `site`, in the order 3 spin + colour, modulo 12.
void fill_sources(const Geometry& g, const Index4& site, int first, std::span<Field> b);

struct Pion {
  std::vector<double> correlator;  // C(t), t counted from the time slice of the source
  double sum = 0;                  // of |x|^2, all solutions
  double asymmetry = 0;  // largest |element| of G - gamma_5 G^dagger gamma_5, G = S(0; 0), over largest |x| of a source
  int iterations = 0;    // of all solves
  double residual = 0;   // largest of all solves, and largest limit
  double limit = 0;
};

// Solves for solver.sources() point sources at a time, a divisor of 12. Collective.
Pion pion(MPI_Comm comm, Wilson& h, LinearSolver& solver, const Index4& site, double tolerance);

}  // namespace tenken::qcd
