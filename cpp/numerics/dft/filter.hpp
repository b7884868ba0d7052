// Radial projectors without the wave numbers that a grid folds back onto those of the bands
// (docs/decisions/0021-ground-states-on-coarse-grids.md).
#pragma once

#include <vector>

#include "numerics/dft/pseudopotential.hpp"

namespace tenken::dft {

// p(g), the transform of the radial part, times 1 up to g = 1.2 pi / h, then exp(-((g h / pi - 1.2) / 0.4)^2), and
// back.
class FilteredChannel {
 public:
  // spacing: h of the grid, Bohr
  FilteredChannel(const Channel& channel, double spacing);
  double at(double r) const;  // radial part

 private:
  int l_;
  double step_;                // of g
  std::vector<double> terms_;  // [g]: 2/pi g^2 p(g) filter dg
};

}  // namespace tenken::dft
