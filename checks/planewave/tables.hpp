// What the record shows beside sections.
#pragma once

#include "ground.hpp"
#include "measure/check.hpp"

namespace tenken::planewave {

// Rows HOST/RANK, columns the axes: the number of the rank's communicator along each, where it has more than one rank.
Table communicators_table(const Check& check, const Groups& groups);

// Rows the k-points (in reciprocal vectors of the cell) and their weights, columns the occupied bands and the lowest
// empty one, Hartree. `bands` of each k are in eigenvalues.
Table levels_table(const dft::System& system, const std::vector<double>& eigenvalues, std::int64_t bands);

// Parts of the energy of a cell, and ABINIT's total where one is known, Hartree.
Table energies_table(const dft::Energies& energies, double published);

// The cut-off and what each element needs: waves up to those of which its narrowest Gaussian holds a fifth of its
// greatest. Under a name that states where energies depend on the cut-off.
Table cut_off_table(const dft::System& system, double cut_off);

// Lowest empty level less highest occupied one, of all k, Hartree.
double gap_of(const std::vector<double>& eigenvalues, std::int64_t bands, std::int64_t occupied);
// It in eV, under a name that states where bands cross: these occupations are those of an insulator.
Table gap_table(double gap);

}  // namespace tenken::planewave
