#include "stencil/explicit.hpp"
#include "stencil/widths.hpp"

namespace tenken::tddft {

// One complex number: both layouts are the same.
void sweep_2(Store mode, const dft::Stencil& s, int gap, const double* diagonal, const double* in, const Targets& to,
             double* lines) {
  sweep_of<2, 2>(mode, s, gap, diagonal, in, to, lines);
}

}  // namespace tenken::tddft
