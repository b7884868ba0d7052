// Eigenvalues of the ground state's potential at k that a user states, and the gap of a ground state.
#pragma once

#include <vector>

#include "measure/check.hpp"
#include "numerics/dft/ground_state.hpp"
#include "wishes.hpp"

namespace tenken::tddft {

struct Eigenvalues {
  std::vector<double> value;  // [k][band], Hartree, in order at each k: the occupied bands and four more
  int bands = 0;              // of a k
  double residual = 0;        // greatest |H u - e u| of them, by the plain twin of H, Hartree
};

// The ground state's bands at each of `k` (1/Bohr), from those of the nearest k of ground.k_range on.
Eigenvalues eigenvalues_at(const dft::System& system, const dft::GroundState& ground, const std::vector<dft::Vector>& k,
                           dft::GroundStateOptions options);

// Collective, over `reduce`. Table `levels` and its proof, for the k of --levels; nothing where it is 0.
void write_levels(Check& check, const dft::System& system, const dft::GroundState& ground,
                  const dft::GroundStateOptions& options, const dft::Reduce& reduce);

// Triples in thousandths of the reciprocal vectors of the cell; 0 alone: none. Throws UserError where they are no
// triples.
std::vector<dft::Vector> k_of_levels(const std::vector<std::int64_t>& numbers, const dft::Vector& cell);

// Collective. Lowest level of the first band that is not occupied, over all k of all ranks, minus the highest occupied
// level, Hartree: 0 or less where bands cross.
double gap_of(const Check& check, const dft::System& system, const dft::GroundState& ground);

}  // namespace tenken::tddft
