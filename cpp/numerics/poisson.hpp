// The Poisson equation by finite volumes of unit cubes, seven points: a_ij = -1 where cells i and j share a face. No
// flux through five faces of the box; on the one at the upper end of z the solution is 0, half a cell away, which adds
// 2 to the diagonal. Symmetric and positive definite.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "numerics/csr.hpp"

namespace tenken {

// The rows of a box of cells, x fastest, inside of the whole: entries for cells outside of the box are left out.
// first: the box's first cell in x, y and z.
inline Csr<double> poisson_box(const std::array<int, 3>& whole, const std::array<int, 3>& first,
                               const std::array<int, 3>& extents) {
  const std::int64_t step[3] = {1, extents[0], std::int64_t{extents[0]} * extents[1]};
  const std::int64_t rows = step[2] * extents[2];
  const auto at = [=](std::int64_t cell, std::size_t d) { return static_cast<int>(cell / step[d] % extents[d]); };
  // Calls use(neighbour) for those below, then with the cell itself, then for those above: ascending.
  const auto visit = [=](std::int64_t cell, const auto& use) {
    for (std::size_t d = 3; d-- > 0;) {
      if (at(cell, d) > 0) use(cell - step[d]);
    }
    use(cell);
    for (std::size_t d = 0; d < 3; ++d) {
      if (at(cell, d) + 1 < extents[d]) use(cell + step[d]);
    }
  };
  const auto diagonal = [=](std::int64_t cell) {
    int neighbours = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      const int global = first[d] + at(cell, d);
      neighbours += (global > 0 ? 1 : 0) + (global + 1 < whole[d] ? 1 : 0);
    }
    return neighbours + (first[2] + at(cell, 2) + 1 == whole[2] ? 2 : 0);
  };
  const auto count = [=](std::int64_t cell) {
    std::int64_t n = 0;
    visit(cell, [&](std::int64_t) { ++n; });
    return n;
  };
  return make_csr<double>(rows, rows, count, [=](std::int64_t cell, std::int32_t* column, double* value) {
    visit(cell, [&](std::int64_t other) {
      *column++ = static_cast<std::int32_t>(other);
      *value++ = other == cell ? diagonal(cell) : -1;
    });
  });
}

// Cells are numbered x fastest.
inline Csr<double> poisson_matrix(int nx, int ny, int nz) { return poisson_box({nx, ny, nz}, {0, 0, 0}, {nx, ny, nz}); }

// The source x + y + z at the centre of a cell: the right side of its row.
constexpr double poisson_source(std::int64_t x, std::int64_t y, std::int64_t z) {
  return static_cast<double>(x + y + z) + 1.5;
}

}  // namespace tenken
