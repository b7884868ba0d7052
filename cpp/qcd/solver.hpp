// What solves D x = b, for one right-hand side after the other, or for several together.
#pragma once

#include <cmath>
#include <memory>
#include <span>

#include "qcd/sections.hpp"
#include "qcd/wilson.hpp"

namespace tenken::qcd {

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;

  virtual int sources() const = 0;                  // right-hand sides solved together
  virtual void take(std::span<const Field> b) = 0;  // sources() of them from here on; they stay with the caller
  virtual void start() = 0;                         // not timed
  virtual void step() = 0;                          // one iteration, timed
  virtual void stop(int k) = 0;                     // no more of right-hand side k until the next start
  virtual int iteration() const = 0;
  // What the recursion has: |b - D x| / |b| (0 where b is), or as much of its own equations.
  virtual double residual(int k) const = 0;
  virtual void solution(std::span<Field> x) = 0;  // of each right-hand side

  // How far the recursive residual is from what it should be, given |b - D x| / |b| computed anew. Ends the solve.
  virtual double residual_error(int k, double anew) = 0;

  // Of a single right-hand side.
  void take(const Field& b) { take(std::span(&b, 1)); }
  void solution(Field& x) { solution(std::span(&x, 1)); }
  // The largest of all right-hand sides.
  double residual() const {
    double largest = residual(0);
    for (int k = 1; k < sources() && !std::isnan(largest); ++k) {
      if (!(residual(k) <= largest)) largest = residual(k);
    }
    return largest;
  }
};

// Conjugate gradients on D^dagger D x = D^dagger b (cg.hpp). Collective; `h` stays with the caller.
std::unique_ptr<LinearSolver> make_normal(MPI_Comm comm, Wilson& h, const SolverSections& sections);

// r = b - D x by the plain operator; |r|.
double residual_of(MPI_Comm comm, Wilson& h, const Field& b, const Field& x, Field& r);

}  // namespace tenken::qcd
