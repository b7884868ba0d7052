// Trilinear hexahedra: shape functions and their gradients (O. C. Zienkiewicz, R. L. Taylor, The Finite Element Method,
// chapters on isoparametric elements).
#pragma once

#include <array>

namespace tenken {

using Point = std::array<double, 3>;

constexpr int corners = 8;
// Corner a is at the upper end in direction d where bit d of a is set.
constexpr int upper(int corner, int d) { return corner >> d & 1; }
using Hexahedron = std::array<Point, corners>;

// Gauss point n of two a direction, in [-1, 1]^3; weight 1 each. Exact for polynomials of degree 3 in each direction.
Point gauss_point(int n);

// Shape function of a corner: 1 there, 0 at the other corners.
double shape(int corner, const Point& at);

// Of the eight shape functions at one point of [-1, 1]^3.
struct Gradients {
  std::array<Point, corners> of;  // by x, y and z
  double determinant;  // of the map from [-1, 1]^3 to the element; 0 or less: the element is turned inside out
};
Gradients gradients(const Hexahedron& element, const Point& at);

}  // namespace tenken
