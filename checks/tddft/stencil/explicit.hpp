// The 25-point stencil in vectors, one source for every width. Complex numbers are interleaved, and a vector holds
// either the same point of several bands (bands innermost) or consecutive points of z of one orbital: the two differ
// only in how far the next point of z lies, `step` doubles. Each pair of neighbours is loaded once for both of its
// uses, and each pair of coefficients once for several outputs. Neighbours in z stay in registers where these suffice;
// else rows are copied to a line with both ends wrapped around, one row ahead, so that neighbours in z need no index
// and loads never wait for these stores.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "numerics/dft/stencil.hpp"
#include "simd/vec.hpp"
#include "stencil/pass.hpp"
#include "stencil/sums.hpp"

namespace tenken::tddft {

// The rows that an output row depends on: at distance j + 1 up and down in x and in y.
// Pointers, too, are read where they are used: 16 of them do not fit the registers for addresses, and compilers would
// put them into vector registers.
struct Neighbours {
  const double* volatile up[2][reach];
  const double* volatile down[2][reach];
};

template <int width, bool ahead>
TENKEN_INLINE Vec<double, width> read(const double* from, std::ptrdiff_t prefetch_bytes) {
  if constexpr (ahead) __builtin_prefetch(reinterpret_cast<const char*>(from) + prefetch_bytes);
  return fetch_once<width>(from);
}

// `count` vectors of output, from `at` doubles into the row on.
template <int width, int step, int count, Store mode, bool ahead>
TENKEN_INLINE void outputs(const Coefficients<width>& s, const Neighbours& rows, const AlongZ& z,
                           const double* diagonal, const Targets& to, std::ptrdiff_t at) {
  using V = Vec<double, width>;
  Sums<width, count> sums;
  V centre[count];
  TENKEN_UNROLL
  for (int u = 0; u < count; ++u) {
    centre[u] = fetch_once<width>(z.here + u * width);
    sums.even[u] = diagonal_at<width, step>(diagonal + at / step + u * (width / step)) * centre[u];
    if constexpr (mode == Store::apply) {
      sums.odd[u] = V{};
    } else {
      sums.odd[u] = load<V>(to.orbital + at + u * width);
    }
  }
  if constexpr (!in_registers<width, step>) {
    add_z_from_line<width, step, count>(s, z, sums);
  } else if constexpr (step == width) {
    add_z_of_bands<width, count>(s, z, centre, sums);
  } else {
    add_z_of_points<count>(s, z, centre, sums);
  }
  TENKEN_UNROLL
  for (int axis = 0; axis < 2; ++axis) {
    TENKEN_UNROLL
    for (int j = 0; j < reach; ++j) {
      const V second = s.second(axis, j);
      const V first = s.first(axis, j);
      const double* up = rows.up[axis][j] + at;
      const double* down = rows.down[axis][j] + at;
      TENKEN_UNROLL
      for (int u = 0; u < count; ++u) {
        const V e_up = read<width, ahead>(up + u * width, to.prefetch_bytes);
        const V e_down = read<width, ahead>(down + u * width, to.prefetch_bytes);
        sums.add(u, second, first, e_up, e_down);
      }
    }
  }
  const V last = fetch(s.last);
  TENKEN_UNROLL
  for (int u = 0; u < count; ++u) {
    const V sum = mode == Store::apply ? V(sums.even[u] - last * swap_lanes<1, width>(sums.odd[u]))
                                       : V(sums.odd[u] + last * swap_lanes<1, width>(sums.even[u]));
    store(sum, to.out + at + u * width);
  }
}

// A row of `vectors` vectors in parts of four and three: 13 are 3 + 3 + 3 + 4. Less have too few sums to wait for.
// `here`: the row, whose ends wrap around in whole parts, or a copy of it that goes on behind its ends (`continued`).
template <int width, int step, Store mode, bool ahead>
inline void row_of(const Coefficients<width>& s, const Neighbours& rows, const double* row, bool continued,
                   const double* diagonal, const Targets& to, int vectors) {
  constexpr std::ptrdiff_t beyond = halo<width, step> * width;
  const std::ptrdiff_t length = std::ptrdiff_t{vectors} * width;
  std::ptrdiff_t at = 0;
  while (vectors > 0) {
    const int count = vectors % at_once == 0 ? at_once : std::min(vectors, at_once - 1);
    const double* const here = row + at;
    const AlongZ z{at == 0 && !continued ? row + length - beyond : here - beyond, here,
                   at + count * width == length && !continued ? row : here + count * width};
    switch (count) {
      case 4:
        outputs<width, step, 4, mode, ahead>(s, rows, z, diagonal, to, at);
        break;
      case 3:
        outputs<width, step, 3, mode, ahead>(s, rows, z, diagonal, to, at);
        break;
      case 2:
        outputs<width, step, 2, mode, ahead>(s, rows, z, diagonal, to, at);
        break;
      default:
        outputs<width, step, 1, mode, ahead>(s, rows, z, diagonal, to, at);
    }
    vectors -= count;
    at += count * width;
  }
}

// i modulo n, near 0 .. n - 1. No division: it would cost as much as the row.
TENKEN_INLINE int wrapped(int i, int n) {
  while (i < 0) i += n;
  while (i >= n) i -= n;
  return i;
}

// Copies a row with `reach` points of its other end on either side. Rows may be shorter than the reach.
template <int width, int step>
inline void wrap_row(const double* row, int points, double* line) {
  using V = Vec<double, width>;
  const std::ptrdiff_t length = std::ptrdiff_t{points} * step;
  for (std::ptrdiff_t i = 0; i < length; i += width) store(load<V>(row + i), line + reach * step + i);
  for (int j = 0; j < reach; ++j) {
    using Point = Vec<double, step>;
    store(load<Point>(row + wrapped(j - reach, points) * step), line + j * step);
    store(load<Point>(row + wrapped(j, points) * step), line + (reach + points + j) * step);
  }
}

// Where the planes of x and the rows of y lie, doubles, from `reach` before the first to as many behind the last.
struct Places {
  Places(int n, std::ptrdiff_t each) {
    for (int i = -reach; i < n + reach; ++i) place.push_back(wrapped(i, n) * each);
  }
  std::ptrdiff_t operator[](int i) const { return place[static_cast<std::size_t>(i + reach)]; }
  std::vector<std::ptrdiff_t> place;
};

// `lines`: scratch of scratch_doubles().
template <int width, int step, Store mode, bool ahead>
void sweep(const dft::Stencil& s, int gap, const double* diagonal, const double* in, const Targets& to, double* lines) {
  const int nx = s.grid.points[0], ny = s.grid.points[1], nz = s.grid.points[2];
  const std::ptrdiff_t length = std::ptrdiff_t{nz} * step;
  const auto vectors = static_cast<int>(length / width);
  const Places plane(nx, ny * length + std::ptrdiff_t{gap} * step), in_plane(ny, length);
  // Ends that wrap around within a part of the row need a copy of it.
  const bool copied = !in_registers<width, step> || vectors % halo<width, step> != 0;
  // At the start of cache lines: loads across two of them cost twice.
  double* const first = lines + (-reinterpret_cast<std::uintptr_t>(lines) / sizeof(double)) % line_doubles;
  double* line[2] = {first, first + line_length(nz, step)};
  const Coefficients<width> coefficients(s, to.scale);
  Neighbours rows;
  if (copied) wrap_row<width, step>(in, nz, line[0]);
  int now = 0;
  for (int first_x = 0; first_x < nx; first_x += to.planes_at_once) {
    const int end_x = std::min(first_x + to.planes_at_once, nx);
    for (int y = 0; y < ny; ++y) {
      for (int x = first_x; x < end_x; ++x, now ^= 1) {
        const double* const in_row = in + in_plane[y];
        const double* const at_x = in + plane[x];
        for (int j = 0; j < reach; ++j) {
          rows.up[0][j] = in_row + plane[x + j + 1];
          rows.down[0][j] = in_row + plane[x - j - 1];
          rows.up[1][j] = at_x + in_plane[y + j + 1];
          rows.down[1][j] = at_x + in_plane[y - j - 1];
        }
        const std::ptrdiff_t index = plane[x] + in_plane[y];
        const double* const v = diagonal + (std::ptrdiff_t{x} * ny + y) * nz;
        Targets there = to;
        there.out += index;
        if constexpr (mode == Store::taylor) there.orbital += index;
        if (!copied) {
          row_of<width, step, mode, ahead>(coefficients, rows, in + index, false, v, there, vectors);
          continue;
        }
        const bool same_y = x + 1 < end_x;
        if (same_y || y + 1 < ny || end_x < nx) {
          const int next_x = same_y ? x + 1 : y + 1 < ny ? first_x : end_x;
          const int next_y = same_y ? y : y + 1 < ny ? y + 1 : 0;
          wrap_row<width, step>(in + plane[next_x] + in_plane[next_y], nz, line[now ^ 1]);
        }
        row_of<width, step, mode, ahead>(coefficients, rows, line[now] + reach * step, true, v, there, vectors);
      }
    }
  }
}

template <int width, int step, bool ahead>
void sweep_for(Store mode, const dft::Stencil& s, int gap, const double* diagonal, const double* in, const Targets& to,
               double* lines) {
  if (mode == Store::taylor) return sweep<width, step, Store::taylor, ahead>(s, gap, diagonal, in, to, lines);
  return sweep<width, step, Store::apply, ahead>(s, gap, diagonal, in, to, lines);
}

template <int width, int step>
void sweep_of(Store mode, const dft::Stencil& s, int gap, const double* diagonal, const double* in, const Targets& to,
              double* lines) {
  if (to.prefetch_bytes > 0) return sweep_for<width, step, true>(mode, s, gap, diagonal, in, to, lines);
  return sweep_for<width, step, false>(mode, s, gap, diagonal, in, to, lines);
}

}  // namespace tenken::tddft
