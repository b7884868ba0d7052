// The sites of a block by number, and their neighbours, by arithmetic alone. A table of neighbours would cost a device
// more time for memory traffic than the arithmetic takes.
//
// Whole blocks are numbered x fastest. The extents of a checkerboard are even. Its sites of one parity (x + y + z + t
// even or odd) are numbered in the same order, so that each row of x has half as many.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "qcd/algebra.hpp"

namespace tenken::lqcd::device {

// Coordinates x, y, z, t of a site in its block, or extents.
struct Point {
  std::int32_t at[qcd::directions];
};

struct Sites {
  std::int32_t extent[qcd::directions];
  bool divided[qcd::directions];  // beyond the block is another rank; else the block is periodic
  bool halved;                    // a checkerboard

  TENKEN_HOST_DEVICE std::int32_t row() const { return halved ? extent[0] / 2 : extent[0]; }
  // Sites of the block, or of each parity of a checkerboard.
  TENKEN_HOST_DEVICE std::int32_t count() const { return row() * extent[1] * extent[2] * extent[3]; }

  TENKEN_HOST_DEVICE std::int32_t number(const Point& x) const {
    const std::int32_t in_row = halved ? x.at[0] / 2 : x.at[0];
    return ((x.at[3] * extent[2] + x.at[2]) * extent[1] + x.at[1]) * row() + in_row;
  }

  // Of site `i` of `parity`, which whole blocks do not look at.
  TENKEN_HOST_DEVICE Point coordinates(std::int32_t parity, std::int32_t i) const {
    Point x;
    std::int32_t rest = i / row();
    const std::int32_t in_row = i - rest * row();
    for (int mu = 1; mu < qcd::directions; ++mu) {
      x.at[mu] = rest % extent[mu];
      rest /= extent[mu];
    }
    x.at[0] = halved ? 2 * in_row + ((x.at[1] + x.at[2] + x.at[3] + parity) & 1) : in_row;
    return x;
  }

  // Whether a hop from x leaves the block for another rank.
  TENKEN_HOST_DEVICE bool leaves(const Point& x, int mu, qcd::Way way) const {
    return divided[mu] && x.at[mu] == (way == qcd::Way::forward ? extent[mu] - 1 : 0);
  }
  TENKEN_HOST_DEVICE bool on_rim(const Point& x) const {
    for (int mu = 0; mu < qcd::directions; ++mu) {
      if (leaves(x, mu, qcd::Way::forward) || leaves(x, mu, qcd::Way::backward)) return true;
    }
    return false;
  }

  // The site that a hop from x reaches in a periodic block, of the other parity of a checkerboard.
  TENKEN_HOST_DEVICE std::int32_t neighbour(Point x, int mu, qcd::Way way) const {
    std::int32_t& moved = x.at[mu];
    if (way == qcd::Way::forward) {
      moved = moved == extent[mu] - 1 ? 0 : moved + 1;
    } else {
      moved = moved == 0 ? extent[mu] - 1 : moved - 1;
    }
    return number(x);
  }

  // Sites of a face perpendicular to mu, of one parity of a checkerboard. They are numbered x fastest without mu.
  TENKEN_HOST_DEVICE std::int32_t face(int mu) const { return count() / extent[mu]; }

  TENKEN_HOST_DEVICE std::int32_t number_in_face(const Point& x, int mu) const {
    std::int32_t position = 0;
    for (int nu = qcd::directions - 1; nu >= 0; --nu) {
      if (nu != mu) position = position * extent[nu] + x.at[nu];
    }
    return halved ? position / 2 : position;
  }

  // Of site `i` of `parity` in the face with coordinate `at` in mu.
  TENKEN_HOST_DEVICE Point in_face(std::int32_t parity, int mu, std::int32_t at, std::int32_t i) const {
    Point x;
    std::int32_t rest = halved ? 2 * i : i;
    std::int32_t sum = at;
    for (int nu = 0; nu < qcd::directions; ++nu) {
      x.at[nu] = nu == mu ? at : rest % extent[nu];
      if (nu == mu) continue;
      rest /= extent[nu];
      sum += x.at[nu];
    }
    if (halved) x.at[mu == 0 ? 1 : 0] += (sum + parity) & 1;
    return x;
  }
};

}  // namespace tenken::lqcd::device
