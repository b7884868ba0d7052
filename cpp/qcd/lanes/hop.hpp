// The hopping term on fields of vectors: the arithmetic, without messages.
//
//   (H psi)(x) = sum_mu [ (1 - gamma_mu) U_mu(x) psi(x + mu) + (1 + gamma_mu) U_mu(x - mu)^dagger psi(x - mu) ]
//
// takes a field of one parity to the other, so that D = 1 - kappa H. Links are stored as three rows or as two, the
// third being the conjugate of their cross product; and twice, the eight that an output vector needs side by side, or
// once, the four forward ones of each vector, so that larger lattices fit a cache.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "base/buffer.hpp"
#include "qcd/algebra.hpp"
#include "qcd/lanes/lanes.hpp"
#include "simd/vec.hpp"

namespace tenken::qcd {

// Upper and lower spins lie apart, since hops in t take one half only, and in each half both spins of a colour lie side
// by side: a hop takes its neighbour colour by colour, so that it fetches it in the order of memory, as processors
// expect.
template <class V>
struct LaneSpinor {
  Complex<V> at[2][colours][2];
};
template <class V>
TENKEN_INLINE const Complex<V>& component(const LaneSpinor<V>& psi, int spin, int colour) {
  return psi.at[spin / 2][colour][spin % 2];
}

template <class V>
using LaneField = Buffer<LaneSpinor<V>>;  // of one parity, Lanes::together fields interleaved

template <class V, int rows>
struct StoredLink {
  Complex<V> at[rows][colours];
};

// Real part and imaginary part of U_rc, fetched once: the third of two rows is rebuilt.
template <class V, int rows>
TENKEN_INLINE Complex<V> element(const StoredLink<V, rows>& u, int r, int c) {
  if (r < rows) return {fetch(u.at[r][c].re), fetch(u.at[r][c].im)};
  return conj(u.at[0][(c + 1) % 3] * u.at[1][(c + 2) % 3] - u.at[0][(c + 2) % 3] * u.at[1][(c + 1) % 3]);
}

// out = U h, or U^dagger h, where column(b, h) fills in the colour b of both spins. Column by column: the twelve sums,
// one colour of h and one number of U are what 16 registers hold, and each number of U is fetched once for both spins.
template <bool adjoint, class V, int rows, class Column>
TENKEN_INLINE void times(BasicHalf<V>& out, const StoredLink<V, rows>& u, Column column) {
  Complex<V> sum[2][colours];
  TENKEN_UNROLL
  for (int b = 0; b < colours; ++b) {
    Complex<V> h[2];
    column(b, h);
    TENKEN_UNROLL
    for (int a = 0; a < colours; ++a) {
      const Complex<V> e = adjoint ? element(u, b, a) : element(u, a, b);
      TENKEN_UNROLL
      for (int s = 0; s < 2; ++s) {
        if (b == 0) {
          sum[s][a] = {e.re * h[s].re, e.re * h[s].im};
        } else {
          sum[s][a].re += e.re * h[s].re;
          sum[s][a].im += e.re * h[s].im;
        }
      }
      TENKEN_UNROLL
      for (int s = 0; s < 2; ++s) {
        if (adjoint) {
          sum[s][a].re += e.im * h[s].im;
          sum[s][a].im -= e.im * h[s].re;
        } else {
          sum[s][a].re -= e.im * h[s].im;
          sum[s][a].im += e.im * h[s].re;
        }
      }
    }
  }
  TENKEN_UNROLL
  for (int s = 0; s < 2; ++s) {
    TENKEN_UNROLL
    for (int a = 0; a < colours; ++a) out.at[s][a] = {sum[s][a].re, sum[s][a].im};
  }
}

template <int mask, int width, int count, class V>
TENKEN_INLINE void swap_by(Complex<V>* to, const Complex<V>* from) {
  for (int i = 0; i < count; ++i) to[i] = {swap_lanes<mask, width>(from[i].re), swap_lanes<mask, width>(from[i].im)};
}

// Exchanges the lanes of `count` numbers over the rim of their sub-lattices; `bit` is one of 1, 2, 4, 8.
template <int width, int count, class V>
TENKEN_INLINE void swap_over_rim(Complex<V>* to, const Complex<V>* from, int bit) {
  if constexpr (width > 1) {
    if (bit == 1) return swap_by<1, width, count>(to, from);
  }
  if constexpr (width > 2) {
    if (bit == 2) return swap_by<2, width, count>(to, from);
  }
  if constexpr (width > 4) {
    if (bit == 4) return swap_by<4, width, count>(to, from);
  }
  if constexpr (width > 8) {
    if (bit == 8) return swap_by<8, width, count>(to, from);
  }
}

// What one rank needs for the output sites of one parity. `ghosts` of forward hops are projected neighbours, those of
// backward hops already multiplied with their links.
template <class V, int rows>
struct HopData {
  const std::array<std::int32_t, 8>* neighbours;
  int together;  // fields interleaved
  bool once;     // how links are stored; with one field only: the entries of several are not vectors
  const StoredLink<V, rows>* links;   // of the output vectors
  const StoredLink<V, rows>* behind;  // of the vectors of the other parity
  std::array<const BasicHalf<V>*, 8> ghosts;
  Index4 bit;
};

// Whether a hop over the rim of sub-lattices, whose lanes are exchanged, has code of its own. With one code for both
// GCC 12 reaches 32 GFLOP/s and Clang 14 only 10, with two GCC 23 and Clang 27 (Zen 3, one core, 8x8x8x8, double).
#if defined(__clang__)
constexpr bool two_copies = true;
#else
constexpr bool two_copies = false;
#endif

// The link of a hop: of the output vector, or, of a backward hop and stored once, of the vector behind, whose lanes are
// exchanged into `turned` where they come over the rim.
template <int mu, Way way, int width, class V, int rows>
TENKEN_INLINE const StoredLink<V, rows>& link_of(const HopData<V, rows>& data, std::size_t v, std::int32_t entry,
                                                 StoredLink<V, rows>& turned) {
  if (!data.once) return data.links[8 * v + hop(mu, way)];
  if constexpr (way == Way::forward) return data.links[4 * v + mu];
  const StoredLink<V, rows>& behind = data.behind[4 * (entry >> 1) + mu];
  if ((entry & 1) == 0) return behind;
  swap_over_rim<width, rows * colours>(&turned.at[0][0], &behind.at[0][0], data.bit[mu]);
  return turned;
}

// U (1 - gamma_mu) psi(x + mu), or U^dagger (1 + gamma_mu) psi(x - mu), up to what `add_hops` restores: made in `own`,
// or where it has arrived. `general`: the neighbour may be on another rank, and lanes may be cut in any dimension; else
// neither, which spares the tests (1 %).
template <int mu, Way way, int width, bool general, class V, int rows>
TENKEN_INLINE const BasicHalf<V>* one_hop(BasicHalf<V>& own, const HopData<V, rows>& data, std::size_t v,
                                          const LaneSpinor<V>* in, int k) {
  const std::int32_t entry = data.neighbours[v][hop(mu, way)];
  StoredLink<V, rows> turned;
  if (general && entry < 0) {
    const BasicHalf<V>& ghost = data.ghosts[hop(mu, way)][-1 - entry + k];
    if constexpr (way == Way::backward) return &ghost;
    times<false>(own, link_of<mu, Way::forward, width>(data, v, 0, turned),
                 [&](int b, Complex<V>(&h)[2]) TENKEN_INLINE_LAMBDA {
                   TENKEN_UNROLL
                   for (int s = 0; s < 2; ++s) h[s] = {ghost.at[s][b].re, ghost.at[s][b].im};
                 });
    return &own;
  }
  const LaneSpinor<V>& psi = in[(entry >> 1) + k];
  const StoredLink<V, rows>& link = link_of<mu, way, width>(data, v, entry, turned);
  constexpr bool cut = general || Lanes::cut_in_order(mu, width) != 0;
  const auto hop_with = [&](auto over_rim) TENKEN_INLINE_LAMBDA {
    times<way == Way::backward>(own, link, [&](int b, Complex<V>(&h)[2]) TENKEN_INLINE_LAMBDA {
      TENKEN_UNROLL
      for (int s = 0; s < 2; ++s) h[s] = project<mu, way>(psi, s, b);
      if constexpr (cut) {
        if (over_rim) [[unlikely]]
          swap_over_rim<width, 2>(h, h, general ? data.bit[mu] : Lanes::cut_in_order(mu, width));
      }
    });
  };
  const bool over_rim = cut && (entry & 1) != 0;
  if constexpr (!two_copies) {
    hop_with(over_rim);
  } else if (over_rim) {
    hop_with(std::true_type{});
  } else {
    hop_with(std::false_type{});
  }
  return &own;
}

// Links in t are stored doubled, as the projector in t asks, where all three rows are: the third of two would be
// fourfold.
template <int rows>
constexpr bool t_doubled = rows == colours;

// What both hops in mu add to the four spins of one colour.
template <int mu, bool doubled, class V>
TENKEN_INLINE void add_hops(Complex<V> (&sum)[spins], const BasicHalf<V>& forward, const BasicHalf<V>& backward,
                            int colour) {
  Complex<V> difference[2];
  TENKEN_UNROLL
  for (int s = 0; s < 2; ++s) {
    const Complex<V>& f = forward.at[s][colour];
    const Complex<V>& b = backward.at[s][colour];
    if constexpr (mu == 3 && doubled) {
      sum[s] = sum[s] + b;
      sum[s + 2] = sum[s + 2] + f;
    } else if constexpr (mu == 3) {
      sum[s] = sum[s] + (b + b);
      sum[s + 2] = sum[s + 2] + (f + f);
    } else {
      sum[s] = mu == 0 ? f + b : sum[s] + (f + b);
      difference[s] = b - f;
    }
  }
  if constexpr (mu < 3) {
    TENKEN_UNROLL
    for (int s = 0; s < 2; ++s) {
      const Complex<V> turned = i_sigma<mu>(difference[0], difference[1], s);
      sum[s + 2] = mu == 0 ? turned : sum[s + 2] + turned;
    }
  }
}

// Fetches the halves that hops in t need of their neighbours, the farthest ones.
template <class V>
TENKEN_INLINE void prefetch_t(const std::array<std::int32_t, 8>& neighbours, const LaneSpinor<V>* in) {
  constexpr std::size_t line = 64;
  const auto* const above = reinterpret_cast<const std::byte*>(in[neighbours[hop(3, Way::forward)] >> 1].at[1]);
  const auto* const below = reinterpret_cast<const std::byte*>(in[neighbours[hop(3, Way::backward)] >> 1].at[0]);
  TENKEN_UNROLL
  for (std::size_t i = 0; i < sizeof(LaneSpinor<V>) / 2; i += line) {
    __builtin_prefetch(above + i);
    __builtin_prefetch(below + i);
  }
}

// How many vectors ahead of its hops that pays (Zen 3, 8x8x8x8 in the caches: 2 %; less with the other one's number).
template <class Real>
constexpr int prefetched_ahead = sizeof(Real) == 8 ? 2 : 0;

// Fetches some lines of the code at `code` into L2, 16 KiB in `code_turns` calls. Where L2 holds all that L1 holds, as
// on Zen, links that stream through it throw out instructions that are in use all the time, since L2 does not see them
// used (docs/decisions/lattice-qcd.md#13: 6 %, or less with luck in the pages on which the program lies). The caller
// gives its own address and must not be inlined, or that is not where its loop is. Elsewhere the fetches are but work:
// none is made.
constexpr std::int32_t code_turns = 32;
inline bool code_is_thrown_out() {
#ifdef __x86_64__
  return __builtin_cpu_is("amd") != 0;
#else
  return false;
#endif
}
inline void keep_code(const void* code, std::int32_t turn) {
  constexpr std::int32_t line = 64, lines = (16 << 10) / line / code_turns;
  const auto* const part = static_cast<const std::byte*>(code) + (turn % code_turns) * lines * line;
  TENKEN_UNROLL
  for (std::int32_t i = 0; i < lines; ++i) __builtin_prefetch(part + i * line, 0, 2);
}

// out = H in at the listed vectors or, with `extra`, out = gamma_5 (extra - factor H in). Always in this order, so that
// a site's bits do not depend on whether messages overlap with work. The hops are made first and then summed colour by
// colour: sums of 24 numbers beside a hop would not stay in registers. Fields together take turns at each vector, whose
// links the first fetches into the nearest cache for all; a field alone has code of its own, 5 % faster (Zen 3, GCC 12,
// 8x8x8x8 in the caches).
template <class Real, int width, bool general, bool several, int rows>
[[gnu::noinline]] void hop_vectors(const HopData<Vec<Real, width>, rows>& data, const std::int32_t* list,
                                   std::int32_t first, std::int32_t last, LaneSpinor<Vec<Real, width>>* out,
                                   const LaneSpinor<Vec<Real, width>>* in, const LaneSpinor<Vec<Real, width>>* extra,
                                   Real factor) {
  using V = Vec<Real, width>;
  const int together = several ? data.together : 1;
  const bool fetch_code = code_is_thrown_out();
  for (std::int32_t i = first; i < last; ++i) {
    const auto v = static_cast<std::size_t>(list[i]);
    if constexpr (!general && !several) {
      prefetch_t(data.neighbours[list[std::min(i + prefetched_ahead<Real>, last - 1)]], in);
    }
    if (fetch_code) keep_code(reinterpret_cast<const void*>(&hop_vectors<Real, width, general, several, rows>), i);
    for (int k = 0; k < together; ++k) {
      BasicHalf<V> own[8];
      const BasicHalf<V>* const hops[8] = {one_hop<0, Way::forward, width, general>(own[0], data, v, in, k),
                                           one_hop<0, Way::backward, width, general>(own[1], data, v, in, k),
                                           one_hop<1, Way::forward, width, general>(own[2], data, v, in, k),
                                           one_hop<1, Way::backward, width, general>(own[3], data, v, in, k),
                                           one_hop<2, Way::forward, width, general>(own[4], data, v, in, k),
                                           one_hop<2, Way::backward, width, general>(own[5], data, v, in, k),
                                           one_hop<3, Way::forward, width, general>(own[6], data, v, in, k),
                                           one_hop<3, Way::backward, width, general>(own[7], data, v, in, k)};
      keep_in_memory();
      const std::size_t at = v * static_cast<std::size_t>(together) + static_cast<std::size_t>(k);
      TENKEN_UNROLL
      for (int c = 0; c < colours; ++c) {
        Complex<V> sum[spins];
        add_hops<0, t_doubled<rows>>(sum, *hops[0], *hops[1], c);
        add_hops<1, t_doubled<rows>>(sum, *hops[2], *hops[3], c);
        add_hops<2, t_doubled<rows>>(sum, *hops[4], *hops[5], c);
        add_hops<3, t_doubled<rows>>(sum, *hops[6], *hops[7], c);
        TENKEN_UNROLL
        for (int s = 0; s < spins; ++s) {
          if (extra == nullptr) {
            out[at].at[s / 2][c][s % 2] = {sum[s].re, sum[s].im};
          } else {
            const Complex<V>& psi = component(extra[at], s, c);
            out[at].at[1 - s / 2][c][s % 2] = {psi.re - factor * sum[s].re, psi.im - factor * sum[s].im};
          }
        }
      }
    }
  }
}

}  // namespace tenken::qcd
