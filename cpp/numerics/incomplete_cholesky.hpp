// The incomplete Cholesky factor without fill, IC(0), of a matrix in the order of its colours:
//
//   M = (L + E) E^-1 (E + U),   U = L^T,   with L in the places of A below the diagonal, and
//   l_ij = a_ij - sum_{k<j} l_ik l_jk / e_k,   e_i = (1 + shift) a_ii - sum_{k<i} l_ik^2 / e_k.
//
// M has the entries of A in the places of A (J. A. Meijerink, H. A. van der Vorst, Math. Comp. 31 (1977) 148). Where no
// three rows touch each other all sums of l_ij are empty, so that L is the triangle of A, and is not stored twice.
//
// Rows are scaled by powers of two on both sides, to diagonals from 1 to 4, while the factor is made. Powers of two
// change no bit of a result; they keep the products of large and of small rows representable.
//
// A positive definite matrix may have pivots e_i that are not positive (D. S. Kershaw, J. Comput. Phys. 26 (1978) 43).
// Then the diagonal is raised by `shift` of its value, found by trial (T. A. Manteuffel, Math. Comp. 34 (1980) 473):
// the shift doubles from first_shift until all pivots are positive. A matrix with dominant diagonals has such pivots,
// so the search ends for every matrix with positive diagonals.
#pragma once

#include "numerics/coloured.hpp"

namespace tenken {

constexpr double first_shift = 1e-3;  // C.-J. Lin, J. J. More, SIAM J. Sci. Comput. 21 (1999) 24

// Sets inverse, shift, and the factors of both triangles, with the first shift from least_shift on that makes all
// pivots positive. `of_triangles`: some three rows touch each other. All diagonals must be positive. Throws UserError
// where entries are not finite once they are scaled.
void factorise(Coloured& a, bool of_triangles, double least_shift = 0);

}  // namespace tenken
