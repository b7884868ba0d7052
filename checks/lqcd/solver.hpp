// What solves D x = b, for one right-hand side after the other.
#pragma once

#include <memory>

#include "wilson.hpp"

namespace tenken::lqcd {

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;

  virtual void take(const Field& b) = 0;  // from here on; b stays with the caller
  virtual void start() = 0;               // not timed
  virtual void step() = 0;                // one iteration, timed as `solve` and its sections
  virtual int iteration() const = 0;
  virtual double residual() const = 0;  // what the recursion has: |b - D x| / |b|, or as much of its own equations
  virtual void solution(Field& x) = 0;

  // How far the recursive residual is from what it should be, given |b - D x| / |b| computed anew. Ends the solve.
  virtual double residual_error(double anew) = 0;
};

// Conjugate gradients on D^dagger D x = D^dagger b (cg.hpp). Collective; `h` stays with the caller.
std::unique_ptr<LinearSolver> make_normal(MPI_Comm comm, Wilson& h);

// r = b - D x by the plain operator; |r|.
double residual_of(MPI_Comm comm, Wilson& h, const Field& b, const Field& x, Field& r);

}  // namespace tenken::lqcd
