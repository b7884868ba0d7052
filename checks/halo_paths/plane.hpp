// The planes of a cube that are exchanged: places in memory as blocks of equal length at equal distance.
#pragma once

#include <cstdint>
#include <string_view>

namespace halo_paths {

enum class Face { xy, xz, yz };  // the two axes of the plane; x is the fastest in memory
enum class Side { lower, upper };

Face face_from(std::string_view name);

// Values of 8 bytes. `first`: place of the first value in the cube.
struct Plane {
  std::int64_t first = 0;
  std::int64_t block = 0;   // values that lie side by side
  std::int64_t blocks = 0;  // number of blocks
  std::int64_t stride = 0;  // from the first value of a block to that of the next

  std::int64_t values() const { return block * blocks; }
};

// Of a cube of n^3 values, n >= 4. The outermost planes are halos; the planes next to them are sources. The source at a
// side reaches the halo of the neighbour at that side.
// `skip`: blocks left out at both ends, so that planes of two faces have no value in common.
Plane source(Face face, Side side, std::int64_t n, std::int64_t skip = 0);
Plane halo(Face face, Side side, std::int64_t n, std::int64_t skip = 0);
constexpr std::int64_t apart = 2;  // blocks of plane xz that lie in the sources and halos of plane xy, at each end

constexpr Side other(Side side) { return side == Side::lower ? Side::upper : Side::lower; }

// Copies of a plane to and from values side by side, and from one cube to another.
void pack(const double* cube, const Plane& from, double* to);
void unpack(const double* from, double* cube, const Plane& to);
void copy(const double* from_cube, const Plane& from, double* to_cube, const Plane& to);

}  // namespace halo_paths
