// The run of a film: light and, at each macro point, the electrons of one cell.
#pragma once

#include "input.hpp"

namespace tenken::tddft {

void film_body(Check& check, const Wishes& wishes, const dft::System& system, Settings settings,
               const FilmSettings& film, int steps);

}  // namespace tenken::tddft
