// Proof that C = alpha A B + beta C was computed, at the cost of a few passes over the matrices: for a random vector x
// of +1 and -1, C x must be alpha A (B x) + beta C0 x. A wrong C passes with probability at most 1/2 a vector (R.
// Freivalds, "Fast probabilistic algorithms", MFCS 1979), a single wrong element never.
#pragma once

#include <array>
#include <vector>

namespace dgemm {

class Freivalds {
 public:
  static constexpr int vectors = 3;

  // Remembers products of A, B and the C of now; `a` and `b` must not change afterwards.
  Freivalds(int n, double alpha, const double* a, const double* b, double beta, const double* c, unsigned seed);

  // Residual of one multiplication that turned the last C seen into this `c`, in units of n eps (|alpha| |A|
  // |B| + |beta| |C|) in the infinity norm; NaN when any element is not finite. `c` becomes the last C seen.
  double residual(const double* c);

  // The greatest residual so far; NaN once there was one.
  double worst() const { return worst_; }

 private:
  using Vectors = std::array<std::vector<double>, vectors>;

  // matrix times `x`, and the infinity norm of the matrix.
  Vectors times(const double* matrix, const Vectors& x, double& norm) const;

  int n_;
  double alpha_;
  double beta_;
  double norm_ab_ = 0;
  double norm_c_ = 0;
  double worst_ = 0;
  Vectors x_, abx_, cx_;
};

}  // namespace dgemm
