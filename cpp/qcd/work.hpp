// Work of the sections, for the local part of one rank.
//
// Flop of D, by the usual count of a Wilson hopping term, 8 Nc (7 + 16 Nc) = 1320 for Nc = 3 colours
//   8 hops x [ 12 (projection, or doubling for t) + 2 x 66 (link times two colour vectors) ] + accumulation of 8 hops,
//   168 (in the Dirac representation t-hops touch two spins: 6 x 24 + 2 x 12),
// plus 48 for psi - kappa x hops: 1368 a site. algebra_test.cpp counts it. Rebuilding of links is never counted (none
// is done here). The older count of 1392 for one H adds another 24 for the doubling. gamma_5 is a renaming of
// components and costs nothing.
//
// Bytes of D: each link and each input spinor read once, each output spinor written once, no write-allocate:
// 4 x 144 + 192 + 192 = 960 a site.
#pragma once

#include "measure/section.hpp"
#include "qcd/geometry.hpp"

namespace tenken::qcd {

constexpr std::int64_t hop_flop = 1320;
constexpr std::int64_t operator_flop = hop_flop + 48;
constexpr std::int64_t link_multiply_flop = 2 * 66;
constexpr std::int64_t projection_flop = 12;  // x, y, z; 0 for t, whose doubling comes after the exchange

constexpr std::int64_t link_bytes = sizeof(Link);
constexpr std::int64_t spinor_bytes = sizeof(Spinor);
constexpr std::int64_t half_bytes = sizeof(Half);

// A vector operation y + a x: 2 flop for each of the 24 reals of a spinor, as is a dot product or norm.
constexpr std::int64_t vector_flop = 48;

inline Work pack_work(const Geometry& g) {
  Work work;
  for (int mu = 0; mu < directions; ++mu) {
    if (!g.block.divided(mu)) continue;
    const std::int64_t sites = g.block.face(mu);
    work.flop += sites * (2 * (mu < 3 ? projection_flop : 0) + link_multiply_flop);
    work.bytes_read += sites * (2 * spinor_bytes + link_bytes);
    work.bytes_written += sites * 2 * half_bytes;
  }
  return work;
}

// What the neighbour has done in its packing is left out here, so that pack, interior and boundary add up to
// operator_flop x sites.
inline Work interior_work(const Geometry& g) {
  const auto sites = static_cast<std::int64_t>(g.interior.size());
  return {.flop = sites * operator_flop,
          .bytes_read = sites * (directions * link_bytes + spinor_bytes),
          .bytes_written = sites * spinor_bytes};
}

inline Work boundary_work(const Geometry& g) {
  const auto sites = static_cast<std::int64_t>(g.boundary.size());
  const Work pack = pack_work(g);
  return {.flop = sites * operator_flop - pack.flop,
          .bytes_read = sites * (directions * link_bytes + spinor_bytes) + pack.bytes_written,
          .bytes_written = sites * spinor_bytes};
}

// Bytes received and sent, messages sent.
inline Work exchange_work(const Geometry& g) {
  Work work;
  for (int mu = 0; mu < directions; ++mu) {
    if (!g.block.divided(mu)) continue;
    work.bytes_read += 2 * g.block.face(mu) * half_bytes;
    work.messages += 2;
  }
  work.bytes_written = work.bytes_read;
  return work;
}

inline Work axpy_work(const Geometry& g) {
  return {
      .flop = g.sites * vector_flop, .bytes_read = g.sites * 2 * spinor_bytes, .bytes_written = g.sites * spinor_bytes};
}

// `vectors` different ones are read: 2 for a dot product, 1 for a norm.
inline Work sum_work(const Geometry& g, int vectors) {
  return {.flop = g.sites * vector_flop, .bytes_read = g.sites * vectors * spinor_bytes};
}

// So many numbers given and got back by each rank.
inline Work reduction_work(int ranks, int numbers = 1) {
  if (ranks == 1) return {};
  const std::int64_t bytes = numbers * std::int64_t{sizeof(double)};
  return {.bytes_read = bytes, .bytes_written = bytes, .messages = 1};
}

}  // namespace tenken::qcd
