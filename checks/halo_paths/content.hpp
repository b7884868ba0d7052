// The values of a source plane: each names sample, rank, face, side and place, so that a stale or strange value shows.
#pragma once

#include <bit>
#include <cstdint>

#include "base/random.hpp"
#include "plane.hpp"

namespace halo_paths {

struct Origin {
  std::int64_t sample = 0;
  int rank = 0;
  Face face = Face::xy;
  Side side = Side::lower;
};

// In [1, 2): a finite number with 52 bits of mix64 (base/random.hpp).
inline double value(const Origin& of, std::int64_t place) {
  const auto plane = static_cast<std::uint64_t>(2 * static_cast<int>(of.face) + static_cast<int>(of.side));
  const std::uint64_t key =
      tenken::mix64((static_cast<std::uint64_t>(of.sample) << 24 | static_cast<std::uint64_t>(of.rank)) * 8 + plane);
  return std::bit_cast<double>(tenken::mix64(key ^ static_cast<std::uint64_t>(place)) >> 12 | 0x3ff0000000000000u);
}

// Writes the plane, by all threads, each a range of blocks.
void write(double* cube, const Plane& plane, const Origin& of);

// The values of the plane that are not those of `of`.
struct Wrong {
  std::int64_t values = 0;
  std::int64_t first = 0;  // place in the plane of the first wrong value
  std::int64_t late = 0;   // samples that it is late by, up to 64; 0: it is of no earlier sample
};
Wrong compare(const double* cube, const Plane& plane, const Origin& of);

}  // namespace halo_paths
