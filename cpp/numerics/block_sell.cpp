#include "numerics/block_sell.hpp"

#include <utility>

namespace tenken {

namespace {

// Asks for the slots about 2 KiB of values ahead, as sell.cpp does (docs/decisions/0019). An address beyond the arrays
// is only ignored.
template <class Real, int n, int c>
TENKEN_INLINE void fetch_ahead(const std::int32_t* column, const Real* value) {
  constexpr std::uintptr_t line = 64;  // bytes, of the shortest lines that there are
  constexpr std::uintptr_t slot = n * n * c * sizeof(Real);
  constexpr std::uintptr_t slots = (2048 + slot - 1) / slot;
  const auto from_values = reinterpret_cast<std::uintptr_t>(value) + slots * slot;
  const auto from_columns = reinterpret_cast<std::uintptr_t>(column) + slots * c * sizeof(std::int32_t);
  for (std::uintptr_t at = 0; at < slot; at += line)
    __builtin_prefetch(reinterpret_cast<const void*>(from_values + at));
  __builtin_prefetch(reinterpret_cast<const void*>(from_columns));
}

// Every n-th number, from those items on that the lanes name.
template <class V, int n, class Real, std::size_t... lane>
TENKEN_INLINE V gathered(const Real* x, const std::int32_t* item, std::index_sequence<lane...>) {
  return V{x[std::int64_t{item[lane]} * n]...};
}

template <class Real, int n, int c>
void multiply_chunks(Range chunks, const BlockSell<Real, n>& a, const Real* x, Real* y) {
  using V = Vec<Real, c>;
  for (std::int64_t k = chunks.first; k < chunks.last; ++k) {
    const std::int64_t last = a.begin[static_cast<std::size_t>(k) + 1];
    V sum[n] = {};
    for (std::int64_t slot = a.begin[static_cast<std::size_t>(k)]; slot < last; slot += c) {
      const std::int32_t* const column = a.column.data() + slot;
      const Real* const value = a.value.data() + slot * n * n;
      fetch_ahead<Real, n, c>(column, value);
      V of_x[n];
      TENKEN_UNROLL
      for (int j = 0; j < n; ++j) of_x[j] = gathered<V, n>(x + j, column, std::make_index_sequence<c>());
      TENKEN_UNROLL
      for (int i = 0; i < n; ++i) {
        TENKEN_UNROLL
        for (int j = 0; j < n; ++j) sum[i] = multiply_add(load<V>(value + (i * n + j) * c), of_x[j], sum[i]);
      }
    }
    const auto rows = static_cast<int>(std::min<std::int64_t>(c, a.rows - k * c));
    Real sums[n][c];
    for (int i = 0; i < n; ++i) store(sum[i], sums[i]);
    for (int l = 0; l < rows; ++l) {
      for (int i = 0; i < n; ++i) y[(k * c + l) * n + i] = sums[i][l];
    }
  }
}

}  // namespace

template <class Real, int n>
Block<Real, n> block_at(const BlockSell<Real, n>& a, std::int64_t i, std::int64_t j) {
  Block<Real, n> found;
  const auto chunk = static_cast<std::size_t>(i / a.c);
  for (std::int64_t slot = a.begin[chunk] + i % a.c; slot < a.begin[chunk + 1]; slot += a.c) {
    if (a.column[static_cast<std::size_t>(slot)] != j) continue;
    // Padding, of the same column, adds 0.
    for (int e = 0; e < n * n; ++e) {
      found.at[static_cast<std::size_t>(e)] += a.value[static_cast<std::size_t>(a.place(slot, e / n, e % n))];
    }
  }
  return found;
}

template <class Real, int n>
void multiply(Range chunks, const BlockSell<Real, n>& a, const Real* x, Real* y) {
  switch (a.c) {
    case 4:
      return multiply_chunks<Real, n, 4>(chunks, a, x, y);
    case 8:
      return multiply_chunks<Real, n, 8>(chunks, a, x, y);
    case 16:
      return multiply_chunks<Real, n, 16>(chunks, a, x, y);
    default:
      return multiply_chunks<Real, n, 2>(chunks, a, x, y);
  }
}

template Block<double, 3> block_at(const BlockSell<double, 3>&, std::int64_t, std::int64_t);
template void multiply(Range, const BlockSell<double, 3>&, const double*, double*);

}  // namespace tenken
