// One triangle of a matrix in the order of its colours, in chunks of c rows (SELL-C), with compressed columns: where
// the c columns of a slot are consecutive, only the first is stored, and x is loaded instead of gathered. Slots are
// filled so that this is often the case; that is found in the matrix, not assumed.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "numerics/team.hpp"
#include "simd/vec.hpp"

namespace tenken {

struct Coupling {
  std::int32_t column;
  double value;
};

struct Runs {
  Buffer<std::int32_t> begin;  // chunks + 1: where each chunk starts, in slots of c entries
  Buffer<std::int32_t> start;  // a slot: its first column, the others follow; or -1 - n: they are list[n c ...]
  Buffer<std::int32_t> list;
  Buffer<double> value;      // padding is 0
  std::int64_t entries = 0;  // without padding
  std::int64_t lists = 0;    // slots with a list

  std::int64_t slots() const { return static_cast<std::int64_t>(start.size()); }
  // Compulsory bytes: values without padding, columns and starts as they are compressed.
  std::int64_t bytes() const {
    return 8 * entries + 4 * static_cast<std::int64_t>(start.size() + list.size() + begin.size());
  }
};

// c: rows of a chunk, a power of two up to 32. colour: the first chunk of each colour, and the number of chunks.
// couplings(place, row): appends what the row at that place is coupled to. may_run(colour, first): whether a slot of a
// chunk of that colour may load the c columns from `first` on, of which some may belong to no coupling; they are
// multiplied by 0, so nobody may be writing them. Each chunk is touched first by the thread that owns it.
Runs make_runs(int c, std::span<const std::int64_t> colour,
               const std::function<void(std::int64_t place, std::vector<Coupling>& row)>& couplings,
               const std::function<bool(int colour, std::int64_t first)>& may_run);

// The part of one thread in one colour, as chunks: what a thread touches first it works on in every operation.
inline Range own_chunks(std::span<const std::int64_t> colour, int which, int thread, int threads) {
  const std::int64_t first = colour[static_cast<std::size_t>(which)];
  const Range share = share_of(colour[static_cast<std::size_t>(which) + 1] - first, thread, threads);
  return {first + share.first, first + share.last};
}

// sum + or - the products of the slots of chunk k.
template <int c, int sign>
TENKEN_INLINE Vec<double, c> summed(const Runs& t, std::int64_t k, const double* x, const Vec<double, c>& start) {
  using V = Vec<double, c>;
  // As in coloured.cpp: hardware that follows streams stops at the end of each small page.
  constexpr std::uintptr_t ahead = 256;  // entries
  constexpr std::uintptr_t line = 64;    // bytes
  V sum = start;
  const std::int64_t last = t.begin.data()[k + 1];
  for (std::int64_t slot = t.begin.data()[k]; slot < last; ++slot) {
    const std::int32_t column = t.start.data()[slot];
    const double* const value = t.value.data() + slot * c;
    const auto values = reinterpret_cast<std::uintptr_t>(value + ahead);
    for (std::uintptr_t at = 0; at < c * sizeof(double); at += line) {
      __builtin_prefetch(reinterpret_cast<const void*>(values + at));
    }
    V of_x;
    if (column >= 0) [[likely]] {
      of_x = load<V>(x + column);
    } else {
      const std::int32_t* const list = t.list.data() + (-1 - std::int64_t{column}) * c;
      if constexpr (c == 1) {
        of_x = x[*list];
      } else {
        for (int l = 0; l < c; ++l) of_x[l] = x[list[l]];
      }
    }
    if constexpr (sign > 0) {
      sum += load<V>(value) * of_x;
    } else {
      sum -= load<V>(value) * of_x;
    }
  }
  return sum;
}

// The sum of the lanes.
template <int c>
TENKEN_INLINE double folded(const Vec<double, c>& v) {
  if constexpr (c == 1) {
    return v;
  } else {
    double sum = v[0];
    for (int l = 1; l < c; ++l) sum += v[l];
    return sum;
  }
}

}  // namespace tenken
