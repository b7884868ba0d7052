// The Poisson equation by finite volumes of unit cubes, seven points: a_ij = -1 where cells i and j share a face. No
// flux through five faces of the box; on the one at the upper end of z the solution is 0, half a cell away, which adds
// 2 to the diagonal. Symmetric and positive definite.
#pragma once

#include <cstdint>

#include "numerics/csr.hpp"

namespace tenken {

// Cells are numbered x fastest.
inline Csr<double> poisson_matrix(int nx, int ny, int nz) {
  const std::int64_t rows = std::int64_t{nx} * ny * nz;
  // Calls use(neighbour) for those below, then with the cell itself, then for those above: ascending.
  const auto visit = [=](std::int64_t cell, const auto& use) {
    const std::int64_t layer = std::int64_t{nx} * ny;
    const auto x = cell % nx, y = cell / nx % ny, z = cell / layer;
    if (z > 0) use(cell - layer);
    if (y > 0) use(cell - nx);
    if (x > 0) use(cell - 1);
    use(cell);
    if (x + 1 < nx) use(cell + 1);
    if (y + 1 < ny) use(cell + nx);
    if (z + 1 < nz) use(cell + layer);
  };
  const auto count = [=](std::int64_t cell) {
    std::int64_t n = 0;
    visit(cell, [&](std::int64_t) { ++n; });
    return n;
  };
  return make_csr<double>(rows, rows, count, [=](std::int64_t cell, std::int32_t* column, double* value) {
    const bool at_the_top = cell / (std::int64_t{nx} * ny) + 1 == nz;
    const double diagonal = static_cast<double>(count(cell) - 1) + (at_the_top ? 2 : 0);
    visit(cell, [&](std::int64_t other) {
      *column++ = static_cast<std::int32_t>(other);
      *value++ = other == cell ? diagonal : -1;
    });
  });
}

}  // namespace tenken
