// The stiffness of one trilinear hexahedron of a linear elastic, isotropic material, by two Gauss points a direction:
// exact for boxes, and for linear displacements of any hexahedron (O. C. Zienkiewicz, R. L. Taylor, The Finite Element
// Method, chapters on isoparametric elements and the patch test).
#pragma once

#include <array>

#include "numerics/block.hpp"
#include "numerics/hexahedron.hpp"

namespace tenken::elasticity {

using Block3 = Block<double, 3>;

struct Material {
  double young = 1;
  double poisson = 0.3;
  double lambda() const { return young * poisson / ((1 + poisson) * (1 - 2 * poisson)); }
  double mu() const { return young / (2 * (1 + poisson)); }
};

// Block b: the force on corner a where corner b is displaced.
using StiffnessRow = std::array<Block3, corners>;
StiffnessRow stiffness_row(const Hexahedron& element, const Material& material, int a);

// Of the box from (0, 0, 0) to (1, 1, 1), all rows.
std::array<StiffnessRow, corners> unit_stiffness(const Material& material);

}  // namespace tenken::elasticity
