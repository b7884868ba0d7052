// Proofs that a ground state is what the equations say, by other ways than those that made it.
#pragma once

#include <cmath>

#include "ground.hpp"

namespace tenken::planewave {

// The greater, and a NaN of either.
inline double worse(double so_far, double now) { return now <= so_far || std::isnan(so_far) ? so_far : now; }

// Each of this rank's part, collective over its k-point's ranks; the greatest over ranks counts.

// Random waves to real space and back, and Parseval's sum, relative.
double transform_error(const Groups& groups, Hamiltonian& h, std::uint64_t seed);

// H u of the first band of each band group at a few waves of each rank, by the definition: for each of these G a sum
// over all G' of V(G - G') and of the projectors' Legendre form. Relative to the greatest |H u|.
double hamiltonian_error(const Groups& groups, const dft::System& system, Ground& ground);

// Greatest |<u_a|u_b> - delta_ab| after Gram-Schmidt.
double orthonormality_error(const Groups& groups, Ground& ground);

// Products of bands with projectors as the bands carry them, against new ones; relative to the greatest.
double products_error(Ground& ground);

}  // namespace tenken::planewave
