// The SU(2) subgroups of SU(3) and the law of heat baths in them.
//
// Where a link U is multiplied from the left by an element a of the subgroup of rows i and j, its part of the weight
// exp(c Re tr(a W)) depends on the 2 x 2 block of W in these rows and columns alone, and there on its quaternion part
// v = v0 + i v.sigma, Re tr(a v) = 2 (a0 v0 - a.v). |v| = k: v / k is in SU(2), and h = a v / k has the weight
// exp(alpha h0) with alpha = 2 c k (N. Cabibbo, E. Marinari, Phys. Lett. B 119 (1982) 387).
#pragma once

#include "base/random.hpp"
#include "qcd/algebra.hpp"

namespace tenken::qcd {

constexpr int subgroups = 3;

// a[0] + i (a[1] sigma_1 + a[2] sigma_2 + a[3] sigma_3)
struct Quaternion {
  double a[4];
};

Quaternion operator*(const Quaternion& x, const Quaternion& y);
Quaternion conj(const Quaternion& x);  // the inverse, where |x| = 1
double norm(const Quaternion& x);

// The quaternion part of W in the rows and columns of a subgroup: Re tr(a W) = 2 (a0 v0 - a.v) + what a does not touch.
Quaternion block(const Link& w, int subgroup);

// u = a u, a in the rows of a subgroup.
void multiply(const Quaternion& a, int subgroup, Link& u);

// Numbers of one draw: uniform in [0, 1), one after the other.
class Draws {
 public:
  Draws(const RandomStream& random, std::uint64_t first) : random_(random), next_(first) {}
  double operator()() { return random_.uniform(next_++); }

 private:
  const RandomStream& random_;
  std::uint64_t next_;
};

// h0 in [-1, 1] with density proportional to sqrt(1 - h0^2) exp(alpha h0), alpha >= 0.
double random_h0(double alpha, Draws& draws);

// h in SU(2) with weight exp(alpha h0) against the Haar measure.
Quaternion random_su2(double alpha, Draws& draws);

}  // namespace tenken::qcd
