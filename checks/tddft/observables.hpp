// Density and current of a block of orbitals, taken right after its last Taylor term, while it is in cache.
#pragma once

#include "numerics/dft/stencil.hpp"
#include "stencil/pass.hpp"

namespace tenken::tddft {

// density[point] += weight * sum over bands |u|^2
void add_density(const Form& form, const dft::Grid& grid, double weight, const double* block, double* density);

// Sum over the bands of a block of dE/dK of the kinetic part, Hartree Bohr: with the central difference of the stencil
// only its upper half is needed.
dft::Vector kinetic_current(const Form& form, const dft::Stencil& stencil, const double* block);

inline constexpr std::int64_t density_flop = 4;  // a point and band: two squares, two sums
inline constexpr std::int64_t current_flop =
    63;  // three axes of 4 complex products with a number, and one of two lanes

}  // namespace tenken::tddft
