// The process grid that the reference of the benchmark chooses (HPCG 3.1, J. Dongarra, M. Heroux, P. Luszczek, file
// ComputeOptimalShapeXYZ). Residuals of the natural order depend on the grid, so they can be compared on it.
#pragma once

#include "parallel/partition.hpp"

namespace tenken::hpcg {

// Ranks in x, y and z. Powers of one prime are shared out evenly, x first. Up to three prime factors become x, the
// smallest, y, the next prime, and z, the rest. Else x y + y z + z x is the least for x and y above 1; of several such
// grids the first counts, where the exponent of the smallest prime of x, then that of y, rises first. Pure.
Index<3> reference_grid(int ranks);

}  // namespace tenken::hpcg
