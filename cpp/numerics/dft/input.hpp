// The crystal of an input file:
//
//   cell = [10.26, 10.26, 10.26]  # Bohr; three rows in place of three numbers are refused unless orthogonal
//   grid = [16, 16, 16]           # points
//   kpoints = [4, 4, 4]           # optional, 1 each
//   reduction = 8                 # optional, 1
//   functional = "perdew_zunger"  # or "pade"; optional
//   [[atom]]
//   element = "Si"
//   fraction = [0.25, 0.25, 0.25] # of the cell; or bohr = [...]
//
// Other keys are left to the caller (Toml::require_all_read).
#pragma once

#include "base/toml.hpp"
#include "numerics/dft/system.hpp"

namespace tenken::dft {

// Throws UserError where something is missing or means nothing. What atoms make of it is make_system's.
Input input_from(const Toml& toml);

}  // namespace tenken::dft
