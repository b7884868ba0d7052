// Conjugate gradients with M = (L + E) E^-1 (E + U) at the price of one sweep over the matrix an iteration (S. C.
// Eisenstat, SIAM J. Sci. Stat. Comput. 2 (1981) 1): with A scaled by S = E^-1/2 on both sides, so that M = (1 + L)(1 +
// U), they solve (1 + L)^-1 A (1 + U)^-1 y = (1 + L)^-1 b without preconditioner, where
//
//   t = (1 + U)^-1 p,   v = (1 + L)^-1 (p + (D - 2) t + R t),   A^ p = t + v,   and x grows by alpha t.
//
// R is the part of A beside the diagonal that is not in L and U. Where the factor has the triangles of A there is none;
// else an iteration goes over as many entries as with the usual form. Columns are compressed (runs.hpp).
#pragma once

#include "numerics/coloured.hpp"
#include "numerics/runs.hpp"

namespace tenken {

class Eisenstat {
 public:
  explicit Eisenstat(const Coloured& a);

  const Coloured& shape() const { return *a_; }
  const Runs& lower() const { return lower_; }
  const Runs& upper() const { return upper_; }
  const Runs& rest() const { return rest_; }  // R
  // Part of the slots that are runs.
  double runs() const;

  // Over a range of chunks of one colour. Backward: the later colours are done, forward: the earlier ones; with R, all
  // of t is done.
  // p = r + beta p, t = (1 + U)^-1 p
  void backward(Range chunks, double beta, const double* r, double* p, double* t) const;
  // v = (1 + L)^-1 (p + (D - 2) t + R t); returns this range's part of p.(t + v)
  double forward(Range chunks, const double* p, const double* t, double* v) const;
  // r = (1 + L)^-1 r, in place
  void enter(Range chunks, double* r) const;
  // Any chunks: x += alpha t, r -= alpha (t + v); returns r.r
  double update(Range chunks, double alpha, const double* t, const double* v, double* x, double* r) const;
  // Any chunks: |S^-1 (1 + L) r|^2, the true residual of the system that was not scaled.
  double true_residual2(Range chunks, const double* r) const;

  // b becomes S b, x becomes S x.
  void scale(Range chunks, double* b) const;

  // Adds to one coupling in the upper triangle alone, so that the preconditioner is no longer symmetric.
  void make_unsymmetric();

  // Compulsory bytes: each value and column as it is compressed, each vector once.
  Work backward_work() const;
  Work forward_work() const;
  Work update_work() const;

 private:
  const Coloured* a_;
  Runs lower_, upper_, rest_;
  Buffer<double> shift_;  // d_i / e_i - 2
  Buffer<double> root_;   // e_i^-1/2
};

}  // namespace tenken
