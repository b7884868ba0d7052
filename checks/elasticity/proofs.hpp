// Proofs that operator, preconditioner and answer are right. All collective, all relative to the size of what is
// compared; NaN where anything is NaN.
#pragma once

#include "ref.hpp"
#include "system.hpp"

namespace tenken::elasticity {

struct Subject {
  System& system;
  const Material& material;
  std::uint64_t seed;
  double norm;  // of the operator: greatest sum of |a_ij| over a row
};

double row_norm(const System& system);

// |x.Ay - y.Ax| / (|A| |x| |y|) for random x and y.
double asymmetry(const Subject& subject);

struct PreconditionerProof {
  double asymmetry;  // |x.My - y.Mx| / (|Mx| |y|), M the preconditioner's inverse
  double least;      // x.Mx / (|x| |Mx|): positive
  double inverse;    // greatest |element| of B M - 1 over all blocks
};
PreconditionerProof preconditioner_proof(const Subject& subject);

// Greatest |A x - the plain twin's| / (|A| max |x|) for random x, of all nodes up to 131072 of a rank and of as many of
// more, of 2048 where the mesh is distorted. Two products with different x, so that a halo that is not renewed shows.
double reference_error(const Subject& subject);

// Greatest |A x| / (|A| max |x|) of the six rigid motions x, over the nodes that no held displacement reaches.
double rigid_force(const Subject& subject);

// Greatest |u - exact| / greatest |exact|.
double displacement_error(const Subject& subject, const Buffer<double>& u);

}  // namespace tenken::elasticity
