// Parts of the vectorised stencil: vectors from memory, coefficients, sums, and the sums over neighbours in z.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "numerics/dft/stencil.hpp"
#include "simd/vec.hpp"

namespace tenken::tddft {

inline constexpr int reach = 4;                 // of the stencil, points
inline constexpr std::size_t line_doubles = 8;  // of a cache line
inline constexpr int at_once =
    4;  // vectors of output that share loads of coefficients: 8 sums, 2 coefficients, 4 others

// Of a row with both ends wrapped around, doubles, in whole cache lines.
inline std::ptrdiff_t line_length(int points, int step) {
  const std::ptrdiff_t used = std::ptrdiff_t{points + 2 * reach} * step;
  constexpr auto whole = static_cast<std::ptrdiff_t>(line_doubles);
  return (used + whole - 1) / whole * whole;
}

// A vector at an address of any multiple of 8 bytes, read into a register exactly once: compilers else read it again
// for each use, and reads become the limit.
template <int width>
TENKEN_INLINE Vec<double, width> fetch_once(const double* from) {
  return in_register(load<Vec<double, width>>(from));
}

template <int width>
TENKEN_INLINE Vec<double, width> everywhere(double x) {
  return x - Vec<double, width>{};
}

// (1, -1, 1, -1, ...): -i (x + iy) is this times (y, x).
template <int width, std::size_t... lane>
TENKEN_INLINE Vec<double, width> alternating(std::index_sequence<lane...>) {
  return Vec<double, width>{(lane % 2 == 0 ? 1.0 : -1.0)...};
}

// The coefficients of neighbours, each in all lanes: read from memory where they are used, as compilers would else keep
// them all in registers and the sums in memory instead. Those of differences have the scale in them and the sign
// turned, those of sums have not: they get both in the end, when their lanes are swapped.
template <int width>
struct Coefficients {
  Coefficients(const dft::Stencil& s, double scale)
      : last(scale * alternating<width>(std::make_index_sequence<width>())) {
    for (int axis = 0; axis < 3; ++axis) {
      for (int j = 0; j < reach; ++j) {
        pair[axis][j][0] = everywhere<width>(s.second_half[axis][j]);
        pair[axis][j][1] = everywhere<width>(-scale * s.first[axis][j]);
      }
    }
  }

  TENKEN_INLINE Vec<double, width> second(int axis, int j) const { return fetch(pair[axis][j][0]); }
  TENKEN_INLINE Vec<double, width> first(int axis, int j) const { return fetch(pair[axis][j][1]); }

  Vec<double, width> last;
  Vec<double, width> pair[3][reach][2];
};

// (a, b, c, d) to (a, a, b, b, c, c, d, d).
template <int width, std::size_t... lane>
TENKEN_INLINE Vec<double, width> twice_each(const double* from, std::index_sequence<lane...>) {
  const auto narrow = load<Vec<double, width / 2>>(from);
  return __builtin_shufflevector(narrow, narrow, static_cast<int>(lane / 2)...);
}

// The diagonal at the points of a vector, once for each of its lanes.
template <int width, int step>
TENKEN_INLINE Vec<double, width> diagonal_at(const double* from) {
  if constexpr (step == width) {
    return everywhere<width>(*from);
  } else {
    return twice_each<width>(from, std::make_index_sequence<width>());
  }
}

// One or several vectors of sums: real coefficients times e(+) + e(-), and times e(+) - e(-).
template <int width, int count>
struct Sums {
  Vec<double, width> even[count];
  Vec<double, width> odd[count];

  TENKEN_INLINE void add(int u, const Vec<double, width>& second, const Vec<double, width>& first,
                         const Vec<double, width>& up, const Vec<double, width>& down) {
    even[u] += second * (up + down);
    odd[u] += first * (up - down);
  }
  TENKEN_INLINE void add_up(int u, const Vec<double, width>& second, const Vec<double, width>& first,
                            const Vec<double, width>& up) {
    even[u] += second * up;
    odd[u] += first * up;
  }
  TENKEN_INLINE void add_down(int u, const Vec<double, width>& second, const Vec<double, width>& first,
                              const Vec<double, width>& down) {
    even[u] += second * down;
    odd[u] -= first * down;
  }
};

// Where neighbours in z are read from: `halo` vectors before, those of the output, `halo` after. Without in_registers
// the three are one piece of memory.
struct AlongZ {
  const double* before;
  const double* here;
  const double* after;
};

// Vectors that neighbours in z reach beyond those of the output.
template <int width, int step>
inline constexpr int halo = (reach * step + width - 1) / width;

// Whether every vector of z is read once, and all that neighbouring outputs make of it stays in registers: a processor
// with vectors of 64 bytes has 32 of them.
template <int width, int step>
inline constexpr bool in_registers = (width * sizeof(double) == widest_vector_bytes) && (reach * step) % width == 0;

// Lanes shift .. shift + width - 1 of (low, high).
template <int shift, int width, std::size_t... lane>
TENKEN_INLINE Vec<double, width> between(const Vec<double, width>& low, const Vec<double, width>& high,
                                         std::index_sequence<lane...>) {
  return __builtin_shufflevector(low, high, static_cast<int>(lane) + shift...);
}

// Sums over neighbours in z where the next point is the next vector.
template <int width, int count>
TENKEN_INLINE void add_z_of_bands(const Coefficients<width>& s, const AlongZ& z, const Vec<double, width>* centre,
                                  Sums<width, count>& sums) {
  Vec<double, width> window[count + 2 * reach];
  TENKEN_UNROLL
  for (int u = 0; u < reach; ++u) {
    window[u] = fetch_once<width>(z.before + u * width);
    window[reach + count + u] = fetch_once<width>(z.after + u * width);
  }
  TENKEN_UNROLL
  for (int u = 0; u < count; ++u) window[reach + u] = centre[u];
  TENKEN_UNROLL
  for (int j = 0; j < reach; ++j) {
    const auto second = s.second(2, j), first = s.first(2, j);
    TENKEN_UNROLL
    for (int u = 0; u < count; ++u) {
      sums.add(u, second, first, window[reach + u + j + 1], window[reach + u - j - 1]);
    }
  }
}

// The same where a vector holds four points: what lies between two vectors is above the one and below the other. Of the
// three between two outputs one is read, across two cache lines: reads have time left, shuffles take an arithmetic
// pipe.
template <int count>
TENKEN_INLINE void add_z_of_points(const Coefficients<8>& s, const AlongZ& z, const Vec<double, 8>* centre,
                                   Sums<8, count>& sums) {
  using V = Vec<double, 8>;
  V second[reach], first[reach];
  TENKEN_UNROLL
  for (int j = 0; j < reach; ++j) {
    second[j] = s.second(2, j);
    first[j] = s.first(2, j);
  }
  V low = fetch_once<8>(z.before);
  TENKEN_UNROLL
  for (int u = 0; u <= count; ++u) {
    const V high = u < count ? centre[u < count ? u : 0] : fetch_once<8>(z.after);
    constexpr std::make_index_sequence<8> lanes;
    const V by[reach] = {between<2, 8>(low, high, lanes), between<4, 8>(low, high, lanes),
                         u > 0 && u < count ? fetch_once<8>(z.here + (u - 1) * 8 + 6) : between<6, 8>(low, high, lanes),
                         high};
    if (u > 0) {
      TENKEN_UNROLL
      for (int j = 0; j < reach; ++j) sums.add_up(u - 1, second[j], first[j], by[j]);
    }
    if (u < count) {
      TENKEN_UNROLL
      for (int j = 0; j < reach; ++j) sums.add_down(u, second[j], first[j], j + 1 < reach ? by[reach - 2 - j] : low);
    }
    low = high;
  }
}

// The same from one piece of memory, whatever the vectors hold.
template <int width, int step, int count>
TENKEN_INLINE void add_z_from_line(const Coefficients<width>& s, const AlongZ& z, Sums<width, count>& sums) {
  TENKEN_UNROLL
  for (int j = 0; j < reach; ++j) {
    const auto second = s.second(2, j), first = s.first(2, j);
    TENKEN_UNROLL
    for (int u = 0; u < count; ++u) {
      const auto e_up = fetch_once<width>(z.here + u * width + (j + 1) * step);
      const auto e_down = fetch_once<width>(z.here + u * width - (j + 1) * step);
      sums.add(u, second, first, e_up, e_down);
    }
  }
}

}  // namespace tenken::tddft
