// explicit.hpp for each width (doubles of a vector) and layout, compiled apart.
#pragma once

#include "stencil/pass.hpp"

namespace tenken::tddft {

using Sweep = void(Store mode, const dft::Stencil& s, int gap, const double* diagonal, const double* in,
                   const Targets& to, double* lines);
Sweep sweep_2;
Sweep sweep_points_4;
Sweep sweep_bands_4;
Sweep sweep_points_8;
Sweep sweep_bands_8;

}  // namespace tenken::tddft
