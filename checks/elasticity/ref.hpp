// The plain twin: the stiffness of an element by strain and stress matrices and any number of Gauss points, and forces
// summed element by element, without a matrix. Shares nothing with element.cpp and assembly.cpp but the mesh.
#pragma once

#include <vector>

#include "mesh.hpp"

namespace tenken::elasticity {

// 24 x 24 numbers, row by row; displacement i of corner a is 3 a + i. points: 1 to 4 in each direction.
using PlainStiffness = std::vector<double>;
PlainStiffness plain_stiffness(const Hexahedron& element, const Material& material, int points);

// Forces on a node, summed over its elements, where held displacements neither act nor are acted on: row of A x.
class PlainForces {
 public:
  PlainForces(const Mesh& mesh, const Material& material);
  // displacement(node): of any node.
  template <class Displacement>
  Point at(const Node& node, const Displacement& displacement) const;

 private:
  static constexpr std::size_t freedoms = 3 * corners;
  PlainStiffness of(const Node& lowest) const;

  const Mesh& mesh_;
  Material material_;
  PlainStiffness unit_;
};

template <class Displacement>
Point PlainForces::at(const Node& node, const Displacement& displacement) const {
  Point force{};
  mesh_.for_elements_of(node, [&](const Node& lowest, int a) {
    const PlainStiffness& k = mesh_.distorted() ? of(lowest) : unit_;
    for (int b = 0; b < corners; ++b) {
      const Node other = Mesh::corner(lowest, b);
      const Point u = displacement(other);
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          const bool diagonal = a == b && i == j;
          if ((held(node, i) || held(other, j)) && !diagonal) continue;
          const auto at = static_cast<std::size_t>(3 * a + i) * freedoms + static_cast<std::size_t>(3 * b + j);
          force[static_cast<std::size_t>(i)] += k[at] * u[static_cast<std::size_t>(j)];
        }
      }
    }
  });
  return force;
}

}  // namespace tenken::elasticity
