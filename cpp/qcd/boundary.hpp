// Boundary conditions of the quark field: psi(x + L_mu) = sign_mu psi(x).
//
// They are put into the links of the operator, in this one place: the links that leave the lattice at x_mu = L_mu - 1
// are multiplied by the sign of their direction, and the operators stay periodic. The gauge field itself is periodic:
// its proofs and averages are of the links without signs.
#pragma once

#include "base/parameters.hpp"
#include "qcd/kernel.hpp"

namespace tenken::qcd {

using Signs = Index4;  // by direction: 1 periodic, -1 antiperiodic
constexpr Signs periodic{1, 1, 1, 1};

// --boundary, periodic where a check has no such parameter. Throws UserError for another number than 1 and -1, and
// where links are to be stored in 12 numbers: the third row that is rebuilt has the sign squared.
Signs boundary_of(const Parameters& parameters);

void cross_boundary(const Geometry& geometry, const Signs& boundary, Links& links);

}  // namespace tenken::qcd
