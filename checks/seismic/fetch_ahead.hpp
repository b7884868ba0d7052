// Lines of memory that the updates of kernel.hpp will need, fetched ahead of them.
#pragma once

#include <cstddef>

#include "simd/vec.hpp"
#include "view.hpp"

namespace tenken::seismic::detail {

// Where update_… fetches lines of memory ahead of its sweep over a row, since the hardware follows fewer streams than
// these. Of short pieces of columns (layers in z): the same piece of a later column. At the end of a row: the begin of
// the next.
class Ahead {
 public:
  template <class Real>
  Ahead(const View<Real>& w, int i0, int i1, int values)
      : short_(values <= 4 * unit),
        columns_(distance / w.dx + 1),
        here_(short_ ? columns_ * w.dx : distance),
        next_row_(here_ + w.dy - (i1 - i0) * w.dx),
        last_(i1 - columns_) {}
  // Values from here in column i to there.
  std::ptrdiff_t from(int i) const { return i < last_ ? here_ : next_row_; }
  // Of arrays that lie together, with `step` values from a column to the next.
  std::ptrdiff_t together(std::ptrdiff_t step) const { return short_ ? columns_ * step : 4 * unit; }

 private:
  static constexpr std::ptrdiff_t distance = 1024;
  bool short_;
  std::ptrdiff_t columns_, here_, next_row_, last_;
};
// Into the second level: more lines may be on their way there than to the first.
template <class Real>
TENKEN_INLINE void fetch(const Real* line) {
  __builtin_prefetch(line, 0, 2);
}
// Lines before and after a short piece, which derivatives along z read.
template <class Real>
TENKEN_INLINE void fetch_ends(const Real* line) {
  fetch(line - unit);
  fetch(line + unit);
}
template <bool Z, class Real>
TENKEN_INLINE void fetch_for_velocity(const View<Real>& w, std::ptrdiff_t at) {
  for (const Real* f : {w.v[0], w.v[1], w.v[2], w.s[0], w.s[2], w.s[4]}) fetch(f + at);
  for (const Real* f : {static_cast<const Real*>(w.s[3]), static_cast<const Real*>(w.s[5]), w.density}) {
    fetch(f + at + w.dy);
  }
  fetch(w.s[1] + at + 2 * w.dy);
  if constexpr (Z) {
    fetch_ends(w.s[2] + at);
    fetch_ends(w.s[4] + at);
    fetch_ends(w.s[5] + at + w.dy);
    fetch(w.density + at + w.dy + unit);
  }
}
template <bool Z, class Real>
TENKEN_INLINE void fetch_for_stress(const View<Real>& w, std::ptrdiff_t at) {
  for (const Real* f : w.s) fetch(f + at);
  fetch(w.lambda + at);
  fetch(w.compliance + at + w.dy);
  fetch(w.v[1] + at + w.dy);
  for (const Real* f : {w.v[0], w.v[2]}) fetch(f + at + 2 * w.dy);
  if constexpr (Z) {
    fetch_ends(w.v[1] + at + w.dy);
    fetch(w.compliance + at + w.dy + unit);
    for (const Real* f : {w.v[0], w.v[2]}) fetch_ends(f + at + 2 * w.dy);
  }
}
// Arrays whose values lie together, n of them, at value `at` of each.
template <class Real>
TENKEN_INLINE void fetch_together(const Real* first, std::ptrdiff_t at, int n) {
  for (int m = 0; m < n; ++m) fetch(first + (at & -unit) * n + m * unit);
}
// psi of value k of a column, counted from the first of the row.
template <bool X, bool Y, bool Z, class Real>
TENKEN_INLINE void fetch_psi(const Layers<Real>& l, const Ahead& ahead, int column, int k) {
  const auto later = [&](std::ptrdiff_t step) { return column * step + k + ahead.together(step); };
  if constexpr (X) fetch_together(l.x, later(l.x_step), 3);
  if constexpr (Y) fetch_together(l.y, later(l.y_step), 3);
  if constexpr (Z) fetch_together(l.z, later(l.z_step), 3);
}

}  // namespace tenken::seismic::detail
