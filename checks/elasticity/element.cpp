#include "element.hpp"

namespace tenken::elasticity {

StiffnessRow stiffness_row(const Hexahedron& element, const Material& material, int a) {
  const double lambda = material.lambda(), mu = material.mu();
  StiffnessRow row{};
  for (int point = 0; point < 8; ++point) {
    const Gradients g = gradients(element, gauss_point(point));
    const Point& ga = g.of[static_cast<std::size_t>(a)];
    for (std::size_t b = 0; b < corners; ++b) {
      const Point& gb = g.of[b];
      const double product = ga[0] * gb[0] + ga[1] * gb[1] + ga[2] * gb[2];
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          const auto k = static_cast<std::size_t>(i), l = static_cast<std::size_t>(j);
          const double both = lambda * ga[k] * gb[l] + mu * ga[l] * gb[k] + (i == j ? mu * product : 0);
          row[b](i, j) += both * g.determinant;
        }
      }
    }
  }
  return row;
}

std::array<StiffnessRow, corners> unit_stiffness(const Material& material) {
  Hexahedron box;
  for (int a = 0; a < corners; ++a) {
    for (int d = 0; d < 3; ++d) box[static_cast<std::size_t>(a)][static_cast<std::size_t>(d)] = upper(a, d);
  }
  std::array<StiffnessRow, corners> rows;
  for (int a = 0; a < corners; ++a) rows[static_cast<std::size_t>(a)] = stiffness_row(box, material, a);
  return rows;
}

}  // namespace tenken::elasticity
