// 3 x 3 matrices of SU(3), for set-up and proofs.
#pragma once

#include "base/random.hpp"
#include "qcd/algebra.hpp"

namespace tenken::qcd {

Link unit_link();
Link operator*(const Link& a, const Link& b);
Link adjoint(const Link& a);
Complex<double> trace(const Link& a);
Complex<double> determinant(const Link& a);

// The larger of two errors; NaN if either is, which std::max would hide.
double larger(double a, double b);

// Largest |element| of U U^dagger - 1, and |det U - 1|.
double unitarity_error(const Link& u);
double determinant_error(const Link& u);

// The nearest kind of matrix with unit determinant: Gram-Schmidt on the first two rows, the third their conjugate cross
// product.
Link reunitarised(const Link& a);

// The third row of SU(3) from the other two, the conjugate of their cross product; and how far, in the largest element,
// a matrix is from having that row.
void rebuild_third_row(Link& u);
double third_row_error(const Link& u);

// Uniform in SU(3) (Haar measure): Gram-Schmidt of a complex normal matrix. Uses the normal numbers [first, first +
// 18).
Link random_link(const RandomStream& random, std::uint64_t first);

// exp of the anti-Hermitian traceless matrix i epsilon sum_k a_k lambda_k / 2, a_k normal, lambda_k the eight Gell-Mann
// matrices; reunitarised. epsilon <= 1. Uses the normal numbers [first, first + 18).
Link random_link_near_one(const RandomStream& random, std::uint64_t first, double epsilon);

// g psi: a colour rotation of every spin component.
Spinor rotated(const Link& g, const Spinor& psi);

}  // namespace tenken::qcd
