// Rows of the classic variants: derivatives into arrays and updates from them, in C++ or in Fortran. Fortran works on
// the points outside of layers, elastic, in single precision; the others are those of C++.
#pragma once

#include "block.hpp"

namespace tenken::seismic {

template <class Real>
void stress_slopes(Block<Real>& block, const Row& row, bool fortran);
template <class Real>
void velocity_slopes(Block<Real>& block, const Row& row, bool fortran);
template <class Real>
void velocity_in_fortran(Block<Real>& block, const Row& row);
template <class Real>
void stress_in_fortran(Block<Real>& block, const Row& row);

}  // namespace tenken::seismic
