// Where the values of a block lie: columns along z, contiguous, one after another in x, rows of columns in y. Two
// columns of halo around the block, and in z room for two values on each side.
//
// Cell (i, j, k) of a field is at `at(i, j) + k`. Value k = 0 lies on a boundary of a widest vector, so that whole
// vectors step through a column; the room before a column's first value is the room after the last value of the column
// before.
#pragma once

#include <cstdint>

#include "simd/vec.hpp"

namespace tenken::seismic {

// Fields, in the order in which they lie in memory. sxx, syy, szz at the centre of a cell; vx, vy, vz half a cell
// further along their own axis; sxy, sxz, syz half a cell further along both of their axes.
enum Component { vx, vy, vz, sxx, syy, szz, sxy, sxz, syz, components };
constexpr int velocities = 3;
constexpr int stresses = 6;

constexpr int halo = 2;   // columns
constexpr int unit = 16;  // values of the widest vector of floats: columns, layers in z and vectors begin at multiples

constexpr int padded(int values) { return (values + unit - 1) / unit * unit; }

struct Layout {
  int nx = 0, ny = 0, nz = 0;  // cells of the block

  int depth() const { return padded(nz); }  // of a column as vectors step through it
  // 4 KiB between columns would put all of them into the same sets of a cache.
  std::int64_t stride() const { return depth() + unit + ((depth() + unit) % 1024 == 0 ? unit : 0); }
  std::int64_t row() const { return stride() * (nx + 2 * halo); }
  std::int64_t columns() const { return static_cast<std::int64_t>(nx + 2 * halo) * (ny + 2 * halo); }
  // Number of a column, -halo <= i < nx + halo.
  std::int64_t column(int i, int j) const { return static_cast<std::int64_t>(j + halo) * (nx + 2 * halo) + i + halo; }
  std::int64_t at(int i, int j) const { return column(i, j) * stride() + unit; }
  std::int64_t size() const { return columns() * stride(); }  // of a field; `tail` more follow the last field
  static constexpr int tail = unit;

  std::int64_t cells() const { return static_cast<std::int64_t>(nx) * ny * nz; }
};

}  // namespace tenken::seismic
