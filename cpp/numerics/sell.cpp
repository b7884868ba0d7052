#include "numerics/sell.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace tenken {

namespace {

void require_shape(int c, int sigma) {
  if (c < 1) refuse("SELL chunks of " + std::to_string(c) + " rows do not exist; use 1 or more");
  if (sigma < 1 || (sigma > 1 && sigma % c != 0)) {
    refuse("SELL sigma = " + std::to_string(sigma) + " must be 1 or a multiple of the chunk's " + std::to_string(c) +
           " rows");
  }
}

// Rows from long to short in windows of sigma, inside each group.
std::vector<std::int32_t> sorted_rows(const std::int64_t* begin, std::span<const std::int64_t> groups, int sigma) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(groups.back()));
  std::iota(order.begin(), order.end(), 0);
  if (sigma == 1) return order;
  for (std::size_t g = 0; g + 1 < groups.size(); ++g) {
    for (std::int64_t first = groups[g]; first < groups[g + 1]; first += sigma) {
      std::stable_sort(
          order.begin() + first, order.begin() + std::min(first + sigma, groups[g + 1]),
          [&](std::int32_t i, std::int32_t j) { return begin[i + 1] - begin[i] > begin[j + 1] - begin[j]; });
    }
  }
  return order;
}

// Fetches the slots of one column some columns before they are used, in this chunk or the next ones: hardware that
// follows streams stops at the end of each small page, and here there are several at once
// (docs/decisions/solvers.md#19). An address beyond the arrays is only ignored.
template <class Real, int c>
TENKEN_INLINE void fetch_ahead(const std::int32_t* column, const Real* value) {
  constexpr std::uintptr_t ahead = 2048 / sizeof(Real);  // slots
  constexpr std::uintptr_t line = 64;                    // bytes, of the shortest lines that there are
  const auto from_values = reinterpret_cast<std::uintptr_t>(value) + ahead * sizeof(Real);
  const auto from_columns = reinterpret_cast<std::uintptr_t>(column) + ahead * sizeof(std::int32_t);
  for (std::uintptr_t at = 0; at < c * sizeof(Real); at += line) {
    __builtin_prefetch(reinterpret_cast<const void*>(from_values + at));
  }
  for (std::uintptr_t at = 0; at < c * sizeof(std::int32_t); at += line) {
    __builtin_prefetch(reinterpret_cast<const void*>(from_columns + at));
  }
}

// The sums of one chunk's rows.
template <class Real, int c>
TENKEN_INLINE Vec<Real, c> chunk_sums(const std::int32_t* column, const Real* value, std::int64_t slots,
                                      const Real* x) {
  using V = Vec<Real, c>;
  V sum = {};
  for (std::int64_t n = 0; n < slots; n += c) {
    fetch_ahead<Real, c>(column + n, value + n);
    V gathered;
    for (int l = 0; l < c; ++l) gathered[l] = x[column[n + l]];
    sum = multiply_add(load<V>(value + n), gathered, sum);
  }
  return sum;
}

template <class Real, int c>
void multiply_chunks(Range chunks, const Sell<Real>& a, const Real* x, Real* y) {
  const std::int64_t* const begin = a.begin.data();
  const std::int32_t* const row = a.row.data();
  for (std::int64_t k = chunks.first; k < chunks.last; ++k) {
    const std::int64_t first = begin[k];
    const Vec<Real, c> sum =
        chunk_sums<Real, c>(a.column.data() + first, a.value.data() + first, begin[k + 1] - first, x);
    const std::int32_t* const lanes = row + k * c;
    if (a.sigma == 1 && lanes[c - 1] >= 0) {
      store(sum, y + lanes[0]);
    } else {
      Real sums[c];
      store(sum, sums);
      for (int l = 0; l < c && lanes[l] >= 0; ++l) y[lanes[l]] = sums[l];
    }
  }
}

// Chunks of any size, in tiles of lanes, column by column as above.
template <class Real>
void multiply_any(Range chunks, const Sell<Real>& a, const Real* x, Real* y) {
  constexpr std::int64_t tile = 32;
  for (std::int64_t k = chunks.first; k < chunks.last; ++k) {
    const std::int32_t* const lanes = a.row.data() + k * a.c;
    const auto [first, last] = Range{a.begin[static_cast<std::size_t>(k)], a.begin[static_cast<std::size_t>(k) + 1]};
    for (std::int64_t from = 0; from < a.c; from += tile) {
      const std::int64_t wide = std::min(tile, a.c - from);
      Real sums[tile] = {};
      for (std::int64_t n = first + from; n < last; n += a.c) {
        const Real* const value = a.value.data() + n;
        const std::int32_t* const column = a.column.data() + n;
        for (std::int64_t l = 0; l < wide; ++l) sums[l] = multiply_add(value[l], x[column[l]], sums[l]);
      }
      for (std::int64_t l = 0; l < wide && lanes[from + l] >= 0; ++l) y[lanes[from + l]] = sums[l];
    }
  }
}

}  // namespace

template <class Real>
Sell<Real> make_sell(const Csr<Real>& a, int c, int sigma, std::span<const std::int64_t> groups) {
  require_shape(c, sigma);
  const std::int64_t whole[] = {0, a.rows};
  if (groups.empty()) groups = whole;
  const std::vector<std::int32_t> order = sorted_rows(a.begin.data(), groups, sigma);

  Sell<Real> s;
  s.rows = a.rows;
  s.columns = a.columns;
  s.entries = a.entries();
  s.c = c;
  s.sigma = sigma;
  s.group = Buffer<std::int64_t>(groups.size(), Pages::any, "groups of matrix rows");
  for (std::size_t g = 0; g + 1 < groups.size(); ++g) {
    s.group[g + 1] = s.group[g] + (groups[g + 1] - groups[g] + c - 1) / c;
  }
  s.chunks = s.group[groups.size() - 1];
  s.begin = Buffer<std::int64_t>(static_cast<std::size_t>(s.chunks) + 1, Pages::huge, "starts of matrix chunks");
  s.row = Buffer<std::int32_t>(static_cast<std::size_t>(s.chunks * c), Pages::huge, "rows of matrix chunks");
  for (std::size_t g = 0; g + 1 < groups.size(); ++g) {
    for (std::int64_t k = s.group[g]; k < s.group[g + 1]; ++k) {
      std::int64_t width = 0;
      for (int l = 0; l < c; ++l) {
        const std::int64_t at = groups[g] + (k - s.group[g]) * c + l;
        const std::int32_t i = at < groups[g + 1] ? order[static_cast<std::size_t>(at)] : -1;
        s.row[static_cast<std::size_t>(k * c + l)] = i;
        if (i >= 0) width = std::max(width, a.row(i).size());
      }
      s.begin[static_cast<std::size_t>(k) + 1] = s.begin[static_cast<std::size_t>(k)] + width * c;
    }
  }

  s.column = Buffer<std::int32_t>(static_cast<std::size_t>(s.slots()), Pages::huge, "columns of matrix slots");
  s.value = Buffer<Real>(static_cast<std::size_t>(s.slots()), Pages::huge, "values of matrix slots");
  share(s.chunks, [&](Range mine) {
    for (std::int64_t k = mine.first; k < mine.last; ++k) {
      const std::int64_t first = s.begin[static_cast<std::size_t>(k)];
      const std::int64_t width = (s.begin[static_cast<std::size_t>(k) + 1] - first) / c;
      for (int l = 0; l < c; ++l) {
        const std::int32_t i = s.row[static_cast<std::size_t>(k * c + l)];
        const Range entries = i < 0 ? Range{} : a.row(i);
        for (std::int64_t j = 0; j < width; ++j) {
          const auto slot = static_cast<std::size_t>(first + j * c + l);
          const auto n = static_cast<std::size_t>(entries.first + std::min(j, entries.size() - 1));
          s.column[slot] = entries.size() == 0 ? 0 : a.column[n];
          s.value[slot] = j < entries.size() ? a.value[n] : Real{0};
        }
      }
    }
  });
  return s;
}

template <class Real>
void multiply(Range chunks, const Sell<Real>& a, const Real* x, Real* y) {
  switch (a.c) {
    case 2:
      return multiply_chunks<Real, 2>(chunks, a, x, y);
    case 4:
      return multiply_chunks<Real, 4>(chunks, a, x, y);
    case 8:
      return multiply_chunks<Real, 8>(chunks, a, x, y);
    case 16:
      return multiply_chunks<Real, 16>(chunks, a, x, y);
    case 32:
      return multiply_chunks<Real, 32>(chunks, a, x, y);
    default:
      return multiply_any(chunks, a, x, y);
  }
}

template Sell<double> make_sell(const Csr<double>&, int, int, std::span<const std::int64_t>);
template Sell<float> make_sell(const Csr<float>&, int, int, std::span<const std::int64_t>);
template void multiply(Range, const Sell<double>&, const double*, double*);
template void multiply(Range, const Sell<float>&, const float*, float*);

}  // namespace tenken
