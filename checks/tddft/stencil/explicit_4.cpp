#include "stencil/explicit.hpp"
#include "stencil/widths.hpp"

namespace tenken::tddft {

void sweep_points_4(Store mode, const dft::Stencil& s, int gap, const double* diagonal, const double* in,
                    const Targets& to, double* lines) {
  sweep_of<4, 2>(mode, s, gap, diagonal, in, to, lines);
}
void sweep_bands_4(Store mode, const dft::Stencil& s, int gap, const double* diagonal, const double* in,
                   const Targets& to, double* lines) {
  sweep_of<4, 4>(mode, s, gap, diagonal, in, to, lines);
}

}  // namespace tenken::tddft
