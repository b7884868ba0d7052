// The plain twin: the stiffness of an element by strain and stress matrices and any number of Gauss points, and forces
// summed element by element, without a matrix. Shares nothing with element.cpp and assembly.cpp but the mesh.
#pragma once

#include <functional>
#include <vector>

#include "mesh.hpp"

namespace tenken::elasticity {

// 24 x 24 numbers, row by row; displacement i of corner a is 3 a + i. points: 1 to 4 in each direction.
using PlainStiffness = std::vector<double>;
PlainStiffness plain_stiffness(const Hexahedron& element, const Material& material, int points);

using Displacement = std::function<Point(const Node&)>;

// Forces on a node, summed over its elements, where held displacements neither act nor are acted on: row of A x.
class PlainForces {
 public:
  PlainForces(const Mesh& mesh, const Material& material);
  Point at(const Node& node, const Displacement& displacement) const;

 private:
  PlainStiffness of(const Node& lowest) const;

  const Mesh& mesh_;
  Material material_;
  PlainStiffness unit_;
};

}  // namespace tenken::elasticity
