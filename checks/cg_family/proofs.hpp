// Proofs that operator and preconditioner are right. All collective, all relative to the size of what is compared; NaN
// where anything is NaN.
#pragma once

#include "system.hpp"

namespace tenken::cg_family {

// Greatest sum of |a_ij| over a row, of any box of more than two cells a side; a bound for smaller ones.
constexpr double row_norm = 12;

// Greatest |A x - the plain twin's| / (|A| max |x|) over all rows, of two random x one after the other, so that a halo
// that is not renewed shows.
double reference_error(System& system);

// |x.Ay - y.Ax| / (|A| |x| |y|) for random x and y.
double asymmetry(System& system);

struct PreconditionerProof {
  double asymmetry;  // |x.My - y.Mx| / (|x| |My|), M the preconditioner's inverse
  double least;      // x.Mx / (|x| |Mx|): positive
};
PreconditionerProof preconditioner_proof(System& system);

// What all cells make leaves through the top: |sum of b - 2 sum of x there| / |sum of b|.
double balance_error(const System& system, const Buffer<double>& b, const Buffer<double>& x);

// A x and M^-1 r, with one thread.
Buffer<double> multiplied(System& system, const Buffer<double>& x);
Buffer<double> preconditioned(const System& system, const Buffer<double>& r);

}  // namespace tenken::cg_family
