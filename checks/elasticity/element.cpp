#include "element.hpp"

#include <cmath>

namespace tenken::elasticity {

namespace {

// Gradients of the eight shape functions by x, y and z at one point of [-1, 1]^3, and the determinant of the map.
struct Gradients {
  std::array<Point, corners> of;
  double determinant;
};

Gradients gradients(const Hexahedron& element, const Point& at) {
  std::array<Point, corners> by_own;
  Block3 jacobian;  // (i, j): derivative of coordinate j by own coordinate i
  for (int a = 0; a < corners; ++a) {
    for (int i = 0; i < 3; ++i) {
      double slope = 1;
      for (int d = 0; d < 3; ++d) {
        const double sign = upper(a, d) != 0 ? 0.5 : -0.5;
        slope *= d == i ? sign : 0.5 + sign * at[static_cast<std::size_t>(d)];
      }
      by_own[static_cast<std::size_t>(a)][static_cast<std::size_t>(i)] = slope;
      for (int j = 0; j < 3; ++j) {
        jacobian(i, j) += slope * element[static_cast<std::size_t>(a)][static_cast<std::size_t>(j)];
      }
    }
  }
  const auto cofactor = [&](int i, int j) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    return jacobian(i1, j1) * jacobian(i2, j2) - jacobian(i1, j2) * jacobian(i2, j1);
  };
  Gradients g;
  g.determinant = 0;
  for (int j = 0; j < 3; ++j) g.determinant += jacobian(0, j) * cofactor(0, j);
  for (std::size_t a = 0; a < corners; ++a) {
    for (int j = 0; j < 3; ++j) {
      double slope = 0;
      for (int i = 0; i < 3; ++i) slope += cofactor(i, j) * by_own[a][static_cast<std::size_t>(i)];
      g.of[a][static_cast<std::size_t>(j)] = slope / g.determinant;
    }
  }
  return g;
}

}  // namespace

StiffnessRow stiffness_row(const Hexahedron& element, const Material& material, int a) {
  const double lambda = material.lambda(), mu = material.mu();
  const double gauss = 1 / std::sqrt(3.0);  // weight 1 each
  StiffnessRow row{};
  for (int point = 0; point < 8; ++point) {
    const auto own = [&](int d) { return upper(point, d) != 0 ? gauss : -gauss; };
    const Gradients g = gradients(element, {own(0), own(1), own(2)});
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
