// Sparse matrices as SELL-C-sigma (M. Kreutzer, G. Hager, G. Wellein, H. Fehske, A. R. Bishop, SIAM J. Sci. Comput. 36
// (2014) C401): rows are sorted by length, longest first, inside windows of sigma rows, cut into chunks of C, each
// chunk is padded to its longest row and stored column by column, so that C rows fill the lanes of a vector.
//
// C may be any number; 2, 4, 8, 16 and 32 are fast. sigma = 1 leaves the order alone.
#pragma once

#include <cstdint>
#include <span>

#include "numerics/csr.hpp"
#include "simd/vec.hpp"

namespace tenken {

template <class Real>
struct Sell {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t entries = 0;  // of the matrix, without padding
  int c = 1;                 // rows of a chunk
  int sigma = 1;
  std::int64_t chunks = 0;
  Buffer<std::int64_t> begin;   // chunks + 1: where each chunk starts in column and value; always a multiple of c
  Buffer<std::int32_t> column;  // padding repeats the row's last column
  Buffer<Real> value;           // padding is 0
  Buffer<std::int32_t> row;     // c a chunk: the row in each lane, -1 in lanes without one (the last ones of a chunk)
  Buffer<std::int64_t> group;   // groups + 1: the first chunk of each group

  std::int64_t slots() const { return begin[static_cast<std::size_t>(chunks)]; }
  // Entries over slots: 1 means that nothing is padded.
  double fill() const { return slots() == 0 ? 1 : static_cast<double>(entries) / static_cast<double>(slots()); }
};

// No chunk and no window reaches over the start of a group (colours, levels): `groups` holds where each starts and the
// number of rows at the end; none means one group. Throws UserError where c or sigma is below 1, or sigma neither 1 nor
// a multiple of c.
template <class Real>
Sell<Real> make_sell(const Csr<Real>& a, int c = native_width<Real>, int sigma = 1,
                     std::span<const std::int64_t> groups = {});

// y = A x, over a range of chunks or all of them. Each row is summed in the order of its columns, whatever c, sigma and
// the number of threads are. Where a row is padded, Inf in its last x (in x[0] of an empty row) makes its y NaN.
template <class Real>
void multiply(Range chunks, const Sell<Real>& a, const Real* x, Real* y);
template <class Real>
void multiply(const Sell<Real>& a, const Real* x, Real* y) {
  share(a.chunks, [&](Range mine) { multiply(mine, a, x, y); });
}

// Compulsory bytes: each value and index of a column once, without padding, each vector once.
constexpr Work sell_work(std::int64_t rows, std::int64_t columns, std::int64_t entries, std::int64_t bytes) {
  return {.flop = 2 * entries, .bytes_read = (bytes + 4) * entries + bytes * columns, .bytes_written = bytes * rows};
}

}  // namespace tenken
