// What the ions of a cell make of their pseudopotentials on a grid.
#pragma once

#include <vector>

#include "numerics/dft/system.hpp"

namespace tenken::dft {

// [point]: the ions' local potential, summed over the wave numbers of the grid; its average over the cell taken out.
std::vector<double> local_potential(const Grid& grid, const std::vector<Atom>& atoms);

// Average over the cell of what the local potentials differ from Coulomb's, times the electrons, Hartree.
double core_energy(const Grid& grid, const std::vector<Atom>& atoms);

// Of each atom that has any: see AtomProjectors. filtered: as filter.hpp says, within the same sphere.
std::vector<AtomProjectors> projectors(const Grid& grid, const std::vector<Atom>& atoms, double cut, bool filtered);

// Slopes of the energy of `density` in the local potential, by the position of each atom, Hartree / Bohr.
std::vector<Vector> local_slopes(const Grid& grid, const std::vector<Atom>& atoms, const std::vector<double>& density);

// Of the same atoms as `spheres` (projectors()): [axis][channel * points + point], slope of value in the offset.
std::vector<std::array<std::vector<double>, 3>> projector_slopes(const Grid& grid, const std::vector<Atom>& atoms,
                                                                 const std::vector<AtomProjectors>& spheres,
                                                                 bool filtered);

int electrons(const std::vector<Atom>& atoms);

// [point]: Gaussians of width `width` (Bohr) in place of the atoms' electrons: what self-consistency starts from.
std::vector<double> first_density(const Grid& grid, const std::vector<Atom>& atoms, double width);

}  // namespace tenken::dft
