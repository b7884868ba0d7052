// Conjugate gradients on the normal equations D^dagger D x = H^2 x = b, step by step as the LQCD mini-application of
// the XcalableACC papers does it:
//
//   x = b; r = b - H^2 x; p = r; then repeatedly
//   v = H^2 p; a = |r|^2 / (v, p); x += a p; r -= a v; p = r + (|r'|^2 / |r|^2) p    until |r|^2 / |b|^2 < 1e-16.
#pragma once

#include "qcd/sections.hpp"
#include "qcd/vectors.hpp"
#include "qcd/wilson.hpp"

namespace tenken::qcd {

class Cg {
 public:
  static constexpr double converged = 1e-16;  // of |r|^2 / |b|^2
  static constexpr int fields = 5;            // x, r, p, v and one in between

  // Collective; `h` and `b` stay with the caller, who may change b before a start.
  Cg(MPI_Comm comm, Wilson& h, const Field& b, const SolverSections& sections);

  void start();  // x = b; not timed
  void step();   // one iteration, timed

  int iteration() const { return iteration_; }
  double residual() const { return rr_ / bb_; }  // recursive |r|^2 / |b|^2
  const Field& x() const { return x_; }

  // |(b - H^2 x) - r| / (|b| + (1 + 8 kappa)^2 |x|): how far the recursive residual is from the true one, in units of
  // what rounding of b - H^2 x may cost (1 + 8 kappa bounds |H|). Destroys v.
  double residual_error();

 private:
  void apply_twice(const Field& in);  // v = H^2 in, timed
  double global(double local);        // sum over ranks, timed
  double global_untimed(double local) const;

  MPI_Comm comm_;
  SolverSections sections_;
  int ranks_ = 1;
  Wilson& h_;
  const Field& b_;
  Field x_, r_, p_, v_, t_;
  double bb_ = 0;
  double rr_ = 0;
  int iteration_ = 0;
};

}  // namespace tenken::qcd
