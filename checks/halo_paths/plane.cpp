#include "plane.hpp"

#include <cstring>

namespace halo_paths {

namespace {

Plane at(Face face, std::int64_t index, std::int64_t n) {
  switch (face) {
    case Face::xy:
      return {index * n * n, n * n, 1, n * n};
    case Face::xz:
      return {index * n, n, n, n * n};
    default:
      return {index, 1, n * n, n};
  }
}

Plane without_ends(Plane plane, std::int64_t skip) {
  plane.first += skip * plane.stride;
  plane.blocks -= 2 * skip;
  return plane;
}

}  // namespace

Face face_from(std::string_view name) { return name == "xy" ? Face::xy : name == "xz" ? Face::xz : Face::yz; }

Plane source(Face face, Side side, std::int64_t n, std::int64_t skip) {
  return without_ends(at(face, side == Side::lower ? 1 : n - 2, n), skip);
}

Plane halo(Face face, Side side, std::int64_t n, std::int64_t skip) {
  return without_ends(at(face, side == Side::lower ? 0 : n - 1, n), skip);
}

void copy(const double* from_cube, const Plane& from, double* to_cube, const Plane& to) {
  if (from.block == 1) {  // a loop of single values, without a call for each
    for (std::int64_t i = 0; i < from.blocks; ++i)
      to_cube[to.first + i * to.stride] = from_cube[from.first + i * from.stride];
    return;
  }
  const auto bytes = static_cast<std::size_t>(from.block) * sizeof(double);
  for (std::int64_t i = 0; i < from.blocks; ++i)
    std::memcpy(to_cube + to.first + i * to.stride, from_cube + from.first + i * from.stride, bytes);
}

void pack(const double* cube, const Plane& from, double* to) {
  copy(cube, from, to, {0, from.block, from.blocks, from.block});
}

void unpack(const double* from, double* cube, const Plane& to) {
  copy(from, {0, to.block, to.blocks, to.block}, cube, to);
}

}  // namespace halo_paths
