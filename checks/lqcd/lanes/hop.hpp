// The hopping term on fields of vectors: the arithmetic, without messages.
//
//   (H psi)(x) = sum_mu [ (1 - gamma_mu) U_mu(x) psi(x + mu) + (1 + gamma_mu) U_mu(x - mu)^dagger psi(x - mu) ]
//
// takes a field of one parity to the other, so that D = 1 - kappa H. Links are stored as three rows or as two, the
// third being the conjugate of their cross product; and twice, the eight that an output vector needs side by side, or
// once, the four forward ones of each vector, so that larger lattices fit a cache.
#pragma once

#include "algebra.hpp"
#include "base/buffer.hpp"
#include "lanes/lanes.hpp"
#include "simd/vec.hpp"

namespace tenken::lqcd {

template <class V>
using LaneField = Buffer<BasicSpinor<V>>;  // of one parity

template <class V, int rows>
struct StoredLink {
  Complex<V> at[rows][colours];

  // U_rc, fetched once: the third of two rows is rebuilt.
  Complex<V> element(int r, int c) const {
    if (r < rows) return {fetch(at[r][c].re), fetch(at[r][c].im)};
    return conj(at[0][(c + 1) % 3] * at[1][(c + 2) % 3] - at[0][(c + 2) % 3] * at[1][(c + 1) % 3]);
  }
};

// out = U h, or U^dagger h, where column(b, h) fills in the colour b of both spins. Column by column: the twelve sums,
// one colour of h and one number of U are what 16 registers hold, and each number of U is fetched once for both spins.
template <bool adjoint, class V, int rows, class Column>
void times(BasicHalf<V>& out, const StoredLink<V, rows>& u, Column column) {
  Complex<V> sum[2][colours]{};
#pragma GCC unroll 3
  for (int b = 0; b < colours; ++b) {
    Complex<V> h[2];
    column(b, h);
#pragma GCC unroll 3
    for (int a = 0; a < colours; ++a) {
      const Complex<V> element = adjoint ? conj(u.element(b, a)) : u.element(a, b);
      for (int s = 0; s < 2; ++s) sum[s][a].re = sum[s][a].re + element.re * h[s].re;
      for (int s = 0; s < 2; ++s) sum[s][a].im = sum[s][a].im + element.re * h[s].im;
      for (int s = 0; s < 2; ++s) sum[s][a].re = sum[s][a].re - element.im * h[s].im;
      for (int s = 0; s < 2; ++s) sum[s][a].im = sum[s][a].im + element.im * h[s].re;
    }
  }
  for (int s = 0; s < 2; ++s) {
    for (int a = 0; a < colours; ++a) out.at[s][a] = sum[s][a];
  }
}

template <int mask, int width, int count, class V>
void swap_by(Complex<V>* z) {
  for (int i = 0; i < count; ++i) z[i] = {swap_lanes<mask, width>(z[i].re), swap_lanes<mask, width>(z[i].im)};
}

// Exchanges the lanes of `count` numbers over the rim of their sub-lattices; `bit` is one of 0, 1, 2, 4, 8.
template <int width, int count, class V>
void swap_over_rim(Complex<V>* z, int bit) {
  if constexpr (width > 1) {
    if (bit == 1) return swap_by<1, width, count>(z);
  }
  if constexpr (width > 2) {
    if (bit == 2) return swap_by<2, width, count>(z);
  }
  if constexpr (width > 4) {
    if (bit == 4) return swap_by<4, width, count>(z);
  }
  if constexpr (width > 8) {
    if (bit == 8) return swap_by<8, width, count>(z);
  }
}

// What one rank needs for the output sites of one parity. `ghosts` of forward hops are projected neighbours, those of
// backward hops already multiplied with their links.
template <class V, int rows>
struct HopData {
  const std::array<std::int32_t, 8>* neighbours;
  bool once;                          // how links are stored
  const StoredLink<V, rows>* links;   // of the output vectors
  const StoredLink<V, rows>* behind;  // of the vectors of the other parity
  std::array<const BasicHalf<V>*, 8> ghosts;
  Index4 bit;
};

// U (1 - gamma_mu) psi(x + mu), or U^dagger (1 + gamma_mu) psi(x - mu), up to what `gather` restores: made in `own`, or
// where it has arrived.
template <int mu, Way way, int width, bool at_face, class V, int rows>
const BasicHalf<V>* one_hop(BasicHalf<V>& own, const HopData<V, rows>& data, std::size_t v, const BasicSpinor<V>* in) {
  constexpr int which = hop(mu, way);
  const std::int32_t entry = data.neighbours[v][which];
  if (at_face && entry < 0) {
    const BasicHalf<V>& ghost = data.ghosts[which][-1 - entry];
    if constexpr (way == Way::backward) return &ghost;
    times<false>(own, data.links[data.once ? 4 * v + mu : 8 * v + which], [&](int b, Complex<V>(&h)[2]) {
      for (int s = 0; s < 2; ++s) h[s] = ghost.at[s][b];
    });
    return &own;
  }
  const BasicSpinor<V>& psi = in[entry >> 1];
  const auto column = [&](int b, Complex<V>(&h)[2]) {
    for (int s = 0; s < 2; ++s) h[s] = project<mu, way>(psi, s, b);
    if ((entry & 1) != 0) swap_over_rim<width, 2>(h, data.bit[mu]);
  };
  if constexpr (way == Way::forward) {
    times<false>(own, data.links[data.once ? 4 * v + mu : 8 * v + which], column);
  } else if (data.once && (entry & 1) != 0) {
    StoredLink<V, rows> link = data.behind[4 * (entry >> 1) + mu];
    swap_over_rim<width, rows * colours>(&link.at[0][0], data.bit[mu]);
    times<true>(own, link, column);
  } else {
    times<true>(own, data.once ? data.behind[4 * (entry >> 1) + mu] : data.links[8 * v + which], column);
  }
  return &own;
}

// What both hops in mu add to the four spins of one colour.
template <int mu, class V>
void add_hops(Complex<V> (&sum)[spins], const BasicHalf<V>& forward, const BasicHalf<V>& backward, int colour) {
  Complex<V> difference[2][colours];
  for (int s = 0; s < 2; ++s) {
    const Complex<V>& f = forward.at[s][colour];
    const Complex<V>& b = backward.at[s][colour];
    if constexpr (mu == 3) {
      sum[s] = sum[s] + (b + b);
      sum[s + 2] = sum[s + 2] + (f + f);
    } else {
      sum[s] = sum[s] + (f + b);
      difference[s][colour] = b - f;
    }
  }
  if constexpr (mu < 3) {
    for (int s = 0; s < 2; ++s) sum[s + 2] = sum[s + 2] + i_sigma<mu>(difference, s, colour);
  }
}

// Always in this order, so that a site's bits do not depend on whether messages overlap with work. The hops are made
// first and summed colour by colour then: sums of 24 numbers beside a hop would not stay in registers.
template <int width, bool at_face, class V, int rows>
BasicSpinor<V> all_hops(const HopData<V, rows>& data, std::size_t v, const BasicSpinor<V>* in) {
  BasicHalf<V> own[8];
  const BasicHalf<V>* const hops[8] = {one_hop<0, Way::forward, width, at_face>(own[0], data, v, in),
                                       one_hop<0, Way::backward, width, at_face>(own[1], data, v, in),
                                       one_hop<1, Way::forward, width, at_face>(own[2], data, v, in),
                                       one_hop<1, Way::backward, width, at_face>(own[3], data, v, in),
                                       one_hop<2, Way::forward, width, at_face>(own[4], data, v, in),
                                       one_hop<2, Way::backward, width, at_face>(own[5], data, v, in),
                                       one_hop<3, Way::forward, width, at_face>(own[6], data, v, in),
                                       one_hop<3, Way::backward, width, at_face>(own[7], data, v, in)};
  in_memory(own);
  BasicSpinor<V> out;
#pragma GCC unroll 3
  for (int c = 0; c < colours; ++c) {
    Complex<V> sum[spins]{};
    add_hops<0>(sum, *hops[0], *hops[1], c);
    add_hops<1>(sum, *hops[2], *hops[3], c);
    add_hops<2>(sum, *hops[4], *hops[5], c);
    add_hops<3>(sum, *hops[6], *hops[7], c);
    for (int s = 0; s < spins; ++s) out.at[s][c] = sum[s];
  }
  return out;
}

// out = H in at the listed vectors or, with `extra`, out = gamma_5 (extra - factor H in).
template <class Real, int width, bool at_face, int rows>
__attribute__((flatten)) void hop_vectors(const HopData<Vec<Real, width>, rows>& data, const std::int32_t* list,
                                          std::int32_t first, std::int32_t last, BasicSpinor<Vec<Real, width>>* out,
                                          const BasicSpinor<Vec<Real, width>>* in,
                                          const BasicSpinor<Vec<Real, width>>* extra, Real factor) {
  using V = Vec<Real, width>;
  for (std::int32_t i = first; i < last; ++i) {
    const auto v = static_cast<std::size_t>(list[i]);
    const BasicSpinor<V> sum = all_hops<width, at_face>(data, v, in);
    if (extra == nullptr) {
      out[v] = sum;
    } else {
      const V k = V{} + factor;
      out[v] = finish(extra[v], sum, k);
    }
  }
}

}  // namespace tenken::lqcd
