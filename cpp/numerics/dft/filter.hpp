// Projectors without the wave numbers that a grid folds back onto those of the bands
// (docs/decisions/electrons.md#21).
#pragma once

#include <array>
#include <vector>

#include "numerics/dft/pseudopotential.hpp"
#include "numerics/dft/system.hpp"

namespace tenken::dft {

// Real spherical harmonic m = 0 .. 2 l of l = 0, 1 (x, y, z) or 2 (xy, yz, zx, x^2 - y^2, 3 z^2 - r^2) times |r|^l.
double solid_harmonic(int l, std::size_t m, const Vector& r);

// The transform of each channel times 1 up to x = 1.2, then exp(-((x - 1.2) / 0.4)^2), and back, where
// x = sqrt(sum over axes of (g h / pi)^2): each axis with the spacing h of its points.
struct FilteredProjectors {
  std::vector<double> value;                 // [channel and m][offset]
  std::array<std::vector<double>, 3> slope;  // [axis], of value in the offset; empty unless asked for
};
// offsets: r - position of points of the grid, Bohr, at most `radius` long.
FilteredProjectors filtered_projectors(const Grid& grid, const Vector& position, const std::vector<Channel>& channels,
                                       double radius, const std::vector<Vector>& offsets, bool slopes);

}  // namespace tenken::dft
