#include "numerics/hexahedron.hpp"

#include <cmath>
#include <cstddef>

namespace tenken {

namespace {

// 0.5 or -0.5: the slope of a shape function in one direction.
double half(int corner, std::size_t d) { return upper(corner, static_cast<int>(d)) != 0 ? 0.5 : -0.5; }

}  // namespace

Point gauss_point(int n) {
  const double gauss = 1 / std::sqrt(3.0);
  Point at;
  for (std::size_t d = 0; d < 3; ++d) at[d] = 2 * gauss * half(n, d);
  return at;
}

double shape(int corner, const Point& at) {
  double value = 1;
  for (std::size_t d = 0; d < 3; ++d) value *= 0.5 + half(corner, d) * at[d];
  return value;
}

Gradients gradients(const Hexahedron& element, const Point& at) {
  std::array<Point, corners> by_own;
  std::array<Point, 3> jacobian{};  // [i][j]: derivative of coordinate j by own coordinate i
  for (int a = 0; a < corners; ++a) {
    const auto corner = static_cast<std::size_t>(a);
    for (std::size_t i = 0; i < 3; ++i) {
      double slope = 1;
      for (std::size_t d = 0; d < 3; ++d) slope *= d == i ? half(a, d) : 0.5 + half(a, d) * at[d];
      by_own[corner][i] = slope;
      for (std::size_t j = 0; j < 3; ++j) jacobian[i][j] += slope * element[corner][j];
    }
  }
  const auto cofactor = [&](std::size_t i, std::size_t j) {
    const std::size_t i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    return jacobian[i1][j1] * jacobian[i2][j2] - jacobian[i1][j2] * jacobian[i2][j1];
  };
  Gradients g;
  g.determinant = 0;
  for (std::size_t j = 0; j < 3; ++j) g.determinant += jacobian[0][j] * cofactor(0, j);
  for (std::size_t a = 0; a < corners; ++a) {
    for (std::size_t j = 0; j < 3; ++j) {
      double slope = 0;
      for (std::size_t i = 0; i < 3; ++i) slope += cofactor(i, j) * by_own[a][i];
      g.of[a][j] = slope / g.determinant;
    }
  }
  return g;
}

}  // namespace tenken
