// Pseudopotentials from files in CP2K's form (GTH_POTENTIALS): for each entry a line with the element and its names,
// the electrons of the atom by angular momentum, r_loc with the number of coefficients and these, the number of
// angular momenta, and for each its radius, the number of projectors and the upper triangle of h, row by row. Atomic
// units; # begins a comment.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "numerics/dft/pseudopotential.hpp"
#include "numerics/dft/system.hpp"

namespace tenken::dft {

// The entry of `element` in `text`; `source` is its name in messages. Of several entries, that of the local density
// approximation (a name with PADE or LDA). Throws UserError naming the line and the element: no such entry, more than
// one, what cannot be read, and what is not computed here (core corrections, spin-orbit parts, l = 3).
Pseudopotential gth_entry(std::string_view text, const std::string& source, const std::string& element);

// The pseudopotentials of all elements of the atoms, from a file, in place of those that the program has.
void use_pseudopotentials(const std::string& path, const std::vector<Atom>& atoms);

}  // namespace tenken::dft
