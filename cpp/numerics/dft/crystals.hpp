// Crystals made by size.
#pragma once

#include <array>
#include <string>

#include "numerics/dft/system.hpp"

namespace tenken::dft {

// "si" (diamond, 10.26 Bohr), "c" (diamond, 6.74 Bohr), "sic" (zinc blende, 8.24 Bohr): 8 atoms in a cube, `repeat`
// times along each axis; lattice 0: that of the name. Without grid points. Throws UserError for other names.
Input diamond_cubes(const std::string& name, double lattice, const std::array<int, 3>& repeat);

// A wire of silicon along z, of `cells` cubes of 10.26 Bohr, as those of J.-I. Iwata and others (J. Comput. Phys. 229,
// 2339 (2010)): the atoms of the crystal within `diameter` / 2 of the axis that have at least two neighbours there, and
// a hydrogen atom 2.8 Bohr away (silane) in place of each missing neighbour; 8 Bohr of vacuum to the next wire. Throws
// UserError: a diameter within which there is no atom.
Input silicon_wire(double diameter, int cells);

}  // namespace tenken::dft
