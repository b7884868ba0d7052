// classic: all derivatives of a row into their arrays. Two lines of memory of each array at a time, one array after the
// other: where single vectors go to nine arrays in turn, each store waits for a line of its own.
//
// Stores of arrays that are larger than the caches go past them: a line that is written whole need not be read first.
#pragma once
#include <utility>

#include "kernel.hpp"

namespace tenken::seismic {

enum class SlopesOf { stress, velocity };

namespace detail {

template <SlopesOf of, bool PastCaches, int n, class Real>
TENKEN_INLINE void store_slope(const View<Real>& w, std::ptrdiff_t at, int values) {
  Real* const to = w.slope[static_cast<std::size_t>(n)] + at;
  for (int k = 0; k < values; k += native_width<Real>) {
    const Lane<Real> d = of == SlopesOf::stress ? Made::of_stress(w, static_cast<Slope>(n), at + k)
                                                : Made::of_velocity(w, static_cast<Slope>(n), at + k);
    if constexpr (PastCaches) {
      store_past_caches(d, to + k);
    } else {
      store(d, to + k);
    }
  }
}
template <SlopesOf of, bool PastCaches, class Real, int... n>
TENKEN_INLINE void store_slopes(const View<Real>& w, std::ptrdiff_t at, int values, std::integer_sequence<int, n...>) {
  (store_slope<of, PastCaches, n>(w, at, values), ...);
}

}  // namespace detail

template <SlopesOf of, bool PastCaches, class Real>
[[gnu::noinline]] void store_slopes(const View<Real>& w, std::ptrdiff_t row, int i0, int i1, int k0, int k1) {
  constexpr int lines = 2 * unit;
  constexpr auto all = std::make_integer_sequence<int, 9>();
  for (int i = i0; i < i1; ++i) {
    int k = k0;
    for (; k + lines <= k1; k += lines) detail::store_slopes<of, PastCaches>(w, row + i * w.dx + k, lines, all);
    if (k < k1) detail::store_slopes<of, PastCaches>(w, row + i * w.dx + k, unit, all);
  }
  if constexpr (PastCaches) finish_past_caches();
}

}  // namespace tenken::seismic
