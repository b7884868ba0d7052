// Proofs that the answer of a run is right, by plain formulas on its last state.
#pragma once

#include "electrons.hpp"
#include "measure/check.hpp"

namespace tenken::tddft {

// Energy of the cell, Hartree, of the electrons as they are.
dft::Energies energies(const dft::System& system, const Electrons& electrons, const dft::Reduce& reduce);

// What proofs hold against their limits; of one cell, the same on all ranks that share its orbitals but for the first
// three, which are of this rank's.
struct Errors {
  double hamiltonian = 0, hermiticity = 0, norm = 0, charge = 0, density = 0, current = 0;
  double work = 0;                       // the caller's
  void take_worse(const Errors& other);  // NaN is worst
};

// All but the work of the field. Collective over those who share orbitals by `reduce`.
Errors errors_of(const dft::System& system, Electrons& electrons, const dft::Reduce& reduce);

// Call on every rank.
void prove(Check& check, const Errors& errors, int steps);

}  // namespace tenken::tddft
