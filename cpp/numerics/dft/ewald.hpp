// Electrostatic energy of point charges in a periodic orthogonal cell with a uniform background that makes it neutral
// (P. P. Ewald, Ann. Phys. 369, 253 (1921)).
#pragma once

#include <vector>

#include "numerics/dft/system.hpp"

namespace tenken::dft {

struct Charge {
  Vector position;  // Bohr
  double charge;    // elementary charges
};

// Hartree a cell, to 1e-10 relative whatever the split: `sharpness` (1/Bohr) of the Gaussians, 0: chosen.
double ewald_energy(const Vector& cell, const std::vector<Charge>& charges, double sharpness = 0);

// Potential at `at` of a unit charge in the origin, and its images and background; average over the cell 0.
double ewald_potential(const Vector& cell, const Vector& at, double sharpness);

// Its slope along x, y and z; `at` not in the origin. 0: a sharpness is chosen.
Vector ewald_slope(const Vector& cell, const Vector& at, double sharpness = 0);

}  // namespace tenken::dft
