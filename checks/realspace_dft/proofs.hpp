// Proofs that a ground state is what the equations say, by other ways than those that made it. Collective; the greatest
// over ranks counts.
#pragma once

#include "ground.hpp"

namespace tenken::realspace {

// H u of random numbers on the blocks, against the Hamiltonian of the whole grid (numerics/dft/hamiltonian.hpp, point
// by point) that each rank computes; relative to the greatest.
double hamiltonian_error(const Domain& domain, const dft::System& system, Ground& ground, std::uint64_t seed);

// <v|H u> - <u|H v> of random numbers over |u| |H v|.
double hermiticity_error(const Domain& domain, Ground& ground, std::uint64_t seed);

// Greatest |<u_a|u_b> - delta_ab| after Gram-Schmidt.
double orthonormality_error(const Domain& domain, Ground& ground);

// Greatest |H u - e u| of the occupied bands and the lowest empty one, of this rank's group, Hartree.
double band_residual(const Domain& domain, const dft::System& system, Ground& ground);

}  // namespace tenken::realspace
