// Work of the sections on one rank, by the conventions of lattice QCD: flop of D are 8 Nc (7 + 16 Nc) = 1320 a site for
// the eight hops (Nc = 3 colours), and 48 for psi - kappa x hops. Bytes: each link and each input spinor read once,
// each output spinor written once.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/work.hpp"
#include "version.h"

namespace tenken::xacc_lqcd {

constexpr std::int64_t operator_flop = 1320 + 48;
constexpr std::int64_t link_bytes = 144;
constexpr std::int64_t spinor_bytes = 192;
constexpr std::int64_t reals = 24;  // of a spinor

// The block of one rank: blocks of ceil(n / p) sites, of which the last may be short or empty.
struct Block {
  std::int64_t t, z, row;  // sites in t and z, and of y and x together
  std::int64_t sites() const { return t * z * row; }
};

inline std::int64_t part(int sites, int ranks, int rank) {
  const int width = (sites + ranks - 1) / ranks;
  return std::clamp(sites - rank * width, 0, width);
}

// Ranks are numbered with z fastest.
inline Block block_of(const XaccLqcdVersion& version, int ranks_t, int ranks_z, int rank) {
  const int* extent = version.extent;
  return {part(extent[0], ranks_t, rank / ranks_z), part(extent[1], ranks_z, rank % ranks_z),
          std::int64_t{extent[2]} * extent[3]};
}

inline Work operator_work(const Block& b) {
  return {.flop = b.sites() * operator_flop,
          .bytes_read = b.sites() * (4 * link_bytes + spinor_bytes),
          .bytes_written = b.sites() * spinor_bytes};
}

// Spinors of both faces in the directions that are divided.
inline Work reflect_work(const Block& b, int ranks_t, int ranks_z) {
  Work work;
  if (b.sites() == 0) return work;
  const std::int64_t faces[] = {ranks_t > 1 ? b.z * b.row : 0, ranks_z > 1 ? b.t * b.row : 0};
  for (const std::int64_t face : faces) {
    work.bytes_read += 2 * face * spinor_bytes;
    work.messages += face > 0 ? 2 : 0;
  }
  work.bytes_written = work.bytes_read;
  return work;
}

// f in + g other: three flop a real.
inline Work combine_work(const Block& b) {
  return {.flop = b.sites() * 3 * reals,
          .bytes_read = b.sites() * 2 * spinor_bytes,
          .bytes_written = b.sites() * spinor_bytes};
}

// `vectors` different ones are read: 2 for a scalar product, 1 for a norm.
inline Work product_work(const Block& b, int vectors) {
  return {.flop = b.sites() * 2 * reals, .bytes_read = b.sites() * vectors * spinor_bytes};
}

inline Work reduction_work(int ranks) {
  if (ranks == 1) return {};
  return {.bytes_read = sizeof(double), .bytes_written = sizeof(double), .messages = 1};
}

}  // namespace tenken::xacc_lqcd
