// The hopping term on fields of vectors: the arithmetic, without messages.
//
//   (H psi)(x) = sum_mu [ (1 - gamma_mu) U_mu(x) psi(x + mu) + (1 + gamma_mu) U_mu(x - mu)^dagger psi(x - mu) ]
//
// takes a field of one parity to the other, so that D = 1 - kappa H. Links are stored for each output vector, the eight
// that it needs side by side, as three rows or as two, the third being the conjugate of their cross product.
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

  BasicLink<V> whole() const {
    BasicLink<V> u;
    for (int a = 0; a < rows; ++a) {
      for (int b = 0; b < colours; ++b) u.at[a][b] = at[a][b];
    }
    if constexpr (rows == 2) {
      for (int c = 0; c < colours; ++c) {
        const Complex<V> cross = at[0][(c + 1) % 3] * at[1][(c + 2) % 3] - at[0][(c + 2) % 3] * at[1][(c + 1) % 3];
        u.at[2][c] = conj(cross);
      }
    }
    return u;
  }
};

// U h, or U^dagger h: each element of U is fetched once for both spins.
template <bool adjoint, class V>
BasicHalf<V> times(const BasicLink<V>& u, const BasicHalf<V>& h) {
  BasicHalf<V> out;
#pragma GCC unroll 3
  for (int a = 0; a < colours; ++a) {
    Complex<V> sum[2]{};
#pragma GCC unroll 3
    for (int b = 0; b < colours; ++b) {
      Complex<V> element = adjoint ? u.at[b][a] : u.at[a][b];
      in_register(element.re);
      in_register(element.im);
      for (int s = 0; s < 2; ++s) {
        const Complex<V>& x = h.at[s][b];
        if constexpr (adjoint) {
          sum[s].re = sum[s].re + element.re * x.re + element.im * x.im;
          sum[s].im = sum[s].im + element.re * x.im - element.im * x.re;
        } else {
          sum[s].re = sum[s].re + element.re * x.re - element.im * x.im;
          sum[s].im = sum[s].im + element.re * x.im + element.im * x.re;
        }
      }
    }
    for (int s = 0; s < 2; ++s) out.at[s][a] = sum[s];
  }
  return out;
}

// The lanes of a half-spinor exchanged over the rim of their sub-lattices; `bit` is one of 0, 1, 2, 4, 8.
template <int mask, int width, class V>
BasicHalf<V> swapped_by(const BasicHalf<V>& h) {
  BasicHalf<V> out;
  for (int s = 0; s < 2; ++s) {
    for (int c = 0; c < colours; ++c) {
      out.at[s][c] = {swap_lanes<mask, width>(h.at[s][c].re), swap_lanes<mask, width>(h.at[s][c].im)};
    }
  }
  return out;
}

template <int width, class V>
BasicHalf<V> swapped(const BasicHalf<V>& h, int bit) {
  if constexpr (width > 1) {
    if (bit == 1) return swapped_by<1, width>(h);
  }
  if constexpr (width > 2) {
    if (bit == 2) return swapped_by<2, width>(h);
  }
  if constexpr (width > 4) {
    if (bit == 4) return swapped_by<4, width>(h);
  }
  if constexpr (width > 8) {
    if (bit == 8) return swapped_by<8, width>(h);
  }
  return h;
}

// What one rank needs for the output sites of one parity. `ghosts` of forward hops are projected neighbours, those of
// backward hops already multiplied with their links.
template <class V, int rows>
struct HopData {
  const std::array<std::int32_t, 8>* neighbours;
  const StoredLink<V, rows>* links;
  std::array<const BasicHalf<V>*, 8> ghosts;
  Index4 bit;
};

template <int mu, Way way, int width, bool at_face, class V, int rows>
void add_hop(BasicSpinor<V>& sum, const HopData<V, rows>& data, std::size_t v, const BasicSpinor<V>* in) {
  constexpr int which = hop(mu, way);
  const std::int32_t entry = data.neighbours[v][which];
  if (at_face && entry < 0) {
    const BasicHalf<V>& ghost = data.ghosts[which][-1 - entry];
    if constexpr (way == Way::backward) return accumulate<mu, way>(sum, ghost);
    return accumulate<mu, way>(sum, times<false>(data.links[8 * v + which].whole(), ghost));
  }
  BasicHalf<V> h = project<mu, way>(in[entry >> 1]);
  if ((entry & 1) != 0) h = swapped<width>(h, data.bit[mu]);
  accumulate<mu, way>(sum, times<way == Way::backward>(data.links[8 * v + which].whole(), h));
}

// Always in this order, so that a site's bits do not depend on whether messages overlap with work.
template <int width, bool at_face, class V, int rows>
BasicSpinor<V> all_hops(const HopData<V, rows>& data, std::size_t v, const BasicSpinor<V>* in) {
  BasicSpinor<V> sum{};
  add_hop<0, Way::forward, width, at_face>(sum, data, v, in);
  add_hop<0, Way::backward, width, at_face>(sum, data, v, in);
  add_hop<1, Way::forward, width, at_face>(sum, data, v, in);
  add_hop<1, Way::backward, width, at_face>(sum, data, v, in);
  add_hop<2, Way::forward, width, at_face>(sum, data, v, in);
  add_hop<2, Way::backward, width, at_face>(sum, data, v, in);
  add_hop<3, Way::forward, width, at_face>(sum, data, v, in);
  add_hop<3, Way::backward, width, at_face>(sum, data, v, in);
  return sum;
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
