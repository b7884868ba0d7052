// Proofs that the answer of a run is right, by plain formulas on its last state.
#pragma once

#include "electrons.hpp"
#include "measure/check.hpp"

namespace tenken::tddft {

// Energy of the cell, Hartree, of the electrons as they are.
dft::Energies energies(const dft::System& system, Range k_range, const Electrons& electrons, const dft::Vector& a,
                       const dft::Reduce& reduce);

// All but the work of the field. Call on every rank.
void prove_state(Check& check, const dft::System& system, Range k_range, Electrons& electrons,
                 const dft::Reduce& reduce);

}  // namespace tenken::tddft
