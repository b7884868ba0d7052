// The diagonal shift of the incomplete factor, found by trial.
#pragma once

#include <span>

#include "numerics/coloured.hpp"

namespace iccg {

// Does nothing where the factor needed no shift. Else the least shift with positive pivots is doubled as long as
// conjugate gradients take fewer iterations for it, by a twentieth at least, to a thousandth of |b|: close to the least
// shift the factor is nearly singular (T. A. Manteuffel, Math. Comp. 34 (1980) 473, section 4).
void choose_shift(tenken::Coloured& a, std::span<const double> b);

}  // namespace iccg
