// The icosahedral grid of the whole sphere: 10 diamonds of 2^g x 2^g cells and the two poles.
//
// Nodes of a bisected icosahedron are relaxed as a net of springs and moved to the gravity centres of their cells,
// which makes the operators second order (Tomita, Tsugawa, Satoh, Goto, J. Comput. Phys. 174 (2001) 579, and Tomita,
// Satoh, Goto, J. Comput. Phys. 183 (2002) 307). Corners of a cell are barycentres of triangles of nodes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sphere.hpp"

namespace atmosphere {

constexpr int diamonds = 10;

// Cell of point i, j of a diamond, 0 <= i, j <= n = 2^g; points with i = n or j = n belong to a neighbouring diamond or
// are a pole. Diamonds 0 to 4 are around the north pole, 5 to 9 around the south pole. Cells of a diamond stand row by
// row, i fastest; the north pole is the last but one, the south pole the last.
std::int64_t cell_of(int diamond, std::int64_t i, std::int64_t j, std::int64_t n);

constexpr std::int64_t cells_of_level(int g) { return 10 * (std::int64_t{1} << 2 * g) + 2; }

struct Grid {
  static constexpr int most = 6;  // neighbours

  struct Cell {
    int neighbours = 0;                       // 5 or 6
    std::array<std::int32_t, most> cell{};    // counter-clockwise seen from outside
    std::array<std::int32_t, most> corner{};  // k: between neighbours k and k + 1
  };
  struct Corner {
    std::array<std::int32_t, 3> cell{};  // counter-clockwise
    Vec at{};
    std::array<double, 3> weight{};  // of the three cells in a value at the corner: their sum is 1
    std::array<Vec, 3> slope{};      // the gradient of a field at the corner is the sum of slope x value
  };

  int level = 0;
  std::vector<Vec> centre;  // of each cell, on the unit sphere
  std::vector<double> area;
  std::vector<Cell> cells;
  std::vector<Corner> corners;

  std::int64_t size() const { return static_cast<std::int64_t>(cells.size()); }
};

// springs: false leaves the nodes where bisection puts them.
Grid make_grid(int level, bool springs);

// Least and greatest distance of neighbours.
struct Spacing {
  double least = 0, greatest = 0, mean = 0;
};
Spacing spacing_of(const Grid& grid);

// Bytes of a grid, and of the making of it.
double grid_bytes(int level);

}  // namespace atmosphere
