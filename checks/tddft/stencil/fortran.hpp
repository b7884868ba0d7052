// stencil.f90, for one orbital. Only where the variant `fortran` is built.
#pragma once

#include "numerics/dft/stencil.hpp"

extern "C" void tddft_stencil_fortran(int nx, int ny, int nz, double diagonal, const double* second,
                                      const double* first, const double* potential, const double* e, double* out);

namespace tenken::tddft {

inline void stencil_fortran(const dft::Stencil& s, const double* potential, const double* in, double* out) {
  tddft_stencil_fortran(s.grid.points[0], s.grid.points[1], s.grid.points[2], s.diagonal, s.second_half[0].data(),
                        s.first[0].data(), potential, in, out);
}

}  // namespace tenken::tddft
