// Conjugate gradients with M = (L + E) E^-1 (E + U) at the price of one sweep over the matrix an iteration (S. C.
// Eisenstat, SIAM J. Sci. Stat. Comput. 2 (1981) 1): with A scaled by S = E^-1/2 on both sides, so that M = (1 + L)(1 +
// U), they solve (1 + L)^-1 A (1 + U)^-1 y = (1 + L)^-1 b without preconditioner, where
//
//   t = (1 + U)^-1 p,   v = (1 + L)^-1 (p + (D - 2) t),   A^ p = t + v,   and x grows by alpha t.
//
// Columns are compressed: where the c columns of a slot are consecutive, only the first is stored, and x is loaded
// instead of gathered. Slots are filled so that this is often the case; that is found in the matrix, not assumed.
#pragma once

#include "numerics/coloured.hpp"

namespace tenken {

struct Runs {
  Buffer<std::int32_t> begin;  // chunks + 1: where each chunk starts, in slots of c entries
  Buffer<std::int32_t> start;  // a slot: its first column, the others follow; or -1 - n: they are list[n c ...]
  Buffer<std::int32_t> list;
  Buffer<double> value;      // padding is 0
  std::int64_t entries = 0;  // without padding
  std::int64_t lists = 0;    // slots with a list

  std::int64_t slots() const { return static_cast<std::int64_t>(start.size()); }
  // Compulsory bytes: values without padding, columns and starts as they are compressed.
  std::int64_t bytes() const {
    return 8 * entries + 4 * static_cast<std::int64_t>(start.size() + list.size() + begin.size());
  }
};

class Eisenstat {
 public:
  explicit Eisenstat(const Coloured& a);

  const Coloured& shape() const { return *a_; }
  const Runs& lower() const { return lower_; }
  const Runs& upper() const { return upper_; }
  // Part of the slots that are runs.
  double runs() const;

  // Over a range of chunks of one colour. Backward: the later colours are done, forward: the earlier ones.
  // p = r + beta p, t = (1 + U)^-1 p
  void backward(Range chunks, double beta, const double* r, double* p, double* t) const;
  // v = (1 + L)^-1 (p + (D - 2) t); returns this range's part of p.(t + v)
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
  Runs lower_, upper_;
  Buffer<double> shift_;  // d_i / e_i - 2
  Buffer<double> root_;   // e_i^-1/2
};

}  // namespace tenken
