// The pion correlator of one gauge field, from the 12 solutions of D x = b for b = 1 in one component (4 spins, 3
// colours) of one site:
//
//   C(t) = sum over space of tr S(x)^dagger S(x) = sum over the 12 sources and all components of |x|^2 in time slice t,
//
// because gamma_5 S(0; x) gamma_5 = S(x; 0)^dagger: the propagator S = D^-1 from the source to x is all that is needed.
#pragma once

#include <vector>

#include "solver.hpp"

namespace tenken::lqcd {

// x = D^-1 b.
struct Solved {
  int iterations = 0;
  double residual = 1;  // |b - D x| / |b| by the plain operator in double precision
  double limit = 0;     // what it should be at most: the tolerance, or rounding where that is more
};

// Solves, computes b - D x anew, and solves for the rest as long as it is above the limit and still falls. A tolerance
// below rounding, (1 + 8 kappa) |x| / |b| times a few 1e-16, thus gives all digits that double precision has.
Solved solve_to(MPI_Comm comm, Wilson& h, LinearSolver& solver, const Field& b, double tolerance, Field& x);

struct Pion {
  std::vector<double> correlator;  // C(t), t counted from the time slice of the source
  double sum = 0;                  // of |x|^2, all solutions
  double asymmetry = 0;  // largest |element| of G - gamma_5 G^dagger gamma_5, G = S(0; 0), over largest |x| of a source
  int iterations = 0;    // of all solves
  double residual = 0;   // largest of all solves, and largest limit
  double limit = 0;
};

// Collective.
Pion pion(MPI_Comm comm, Wilson& h, LinearSolver& solver, const Index4& site, double tolerance);

}  // namespace tenken::lqcd
