// Sparse matrices of small dense blocks: assembled as Csr<Block>, multiplied as SELL-C of blocks. C block rows fill the
// lanes of a vector: a slot holds, one after the other, the n x n elements of C blocks, each element in C lanes, so
// that values are read in one stream. Chunks are padded to their longest row; rows stay in their order.
//
// Vectors hold the n numbers of an item (a node of a mesh) side by side.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/error.hpp"
#include "numerics/block.hpp"
#include "numerics/csr.hpp"
#include "simd/vec.hpp"

namespace tenken {

template <class Real, int n>
struct BlockSell {
  std::int64_t rows = 0;  // of blocks, and so are columns and entries
  std::int64_t columns = 0;
  std::int64_t entries = 0;  // of the matrix, without padding
  int c = 2;
  std::int64_t chunks = 0;
  Buffer<std::int64_t> begin;   // chunks + 1: where each chunk starts in column; always a multiple of c
  Buffer<std::int32_t> column;  // padding repeats the row's last column
  Buffer<Real> value;           // n x n a slot; padding is 0

  std::int64_t slots() const { return begin[static_cast<std::size_t>(chunks)]; }
  double fill() const { return slots() == 0 ? 1 : static_cast<double>(entries) / static_cast<double>(slots()); }
  // Where element (i, j) of a block is.
  std::int64_t place(std::int64_t slot, int i, int j) const {
    return slot / c * c * n * n + (i * n + j) * c + slot % c;
  }
};

namespace detail {
inline void require_block_chunks(int c) {
  if (c == 2 || c == 4 || c == 8 || c == 16) return;
  refuse("SELL chunks of " + std::to_string(c) + " block rows cannot be multiplied; use 2, 4, 8 or 16");
}
}  // namespace detail

// A matrix built row by row on all threads, never stored otherwise. count(i): blocks of row i. fill(i, column, block):
// writes them; it is called once, by the thread that multiply() gives the row to. Throws UserError where c is none of
// 2, 4, 8, 16.
template <class Real, int n, class Count, class Fill>
BlockSell<Real, n> make_block_sell(std::int64_t rows, std::int64_t columns, int c, const Count& count,
                                   const Fill& fill) {
  detail::require_block_chunks(c);
  BlockSell<Real, n> a;
  a.rows = rows;
  a.columns = columns;
  a.c = c;
  a.chunks = (rows + c - 1) / c;
  a.begin = make_array<std::int64_t>(a.chunks + 1, "starts of matrix chunks");
  std::int64_t longest = 0;
  for (std::int64_t k = 0; k < a.chunks; ++k) {
    std::int64_t width = 0;
    for (std::int64_t i = k * c; i < std::min(rows, (k + 1) * c); ++i) {
      const std::int64_t blocks = count(i);
      a.entries += blocks;
      width = std::max(width, blocks);
    }
    a.begin[static_cast<std::size_t>(k) + 1] = a.begin[static_cast<std::size_t>(k)] + width * c;
    longest = std::max(longest, width);
  }
  a.column = Buffer<std::int32_t>(static_cast<std::size_t>(a.slots()), Pages::huge, "columns of matrix blocks");
  a.value = Buffer<Real>(static_cast<std::size_t>(a.slots() * n * n), Pages::huge, "values of matrix blocks");
  share(a.chunks, [&](Range mine) {
    std::vector<std::int32_t> column(static_cast<std::size_t>(longest));
    std::vector<Block<Real, n>> block(static_cast<std::size_t>(longest));
    for (std::int64_t k = mine.first; k < mine.last; ++k) {
      const std::int64_t first = a.begin[static_cast<std::size_t>(k)];
      const std::int64_t width = (a.begin[static_cast<std::size_t>(k) + 1] - first) / c;
      for (std::int64_t l = 0; l < c; ++l) {
        const std::int64_t i = k * c + l;
        const std::int64_t blocks = i < rows ? count(i) : 0;
        if (blocks > 0) fill(i, column.data(), block.data());
        for (std::int64_t m = 0; m < width; ++m) {
          const std::int64_t slot = first + m * c + l;
          const auto from = static_cast<std::size_t>(std::min(m, blocks - 1));
          a.column[static_cast<std::size_t>(slot)] = blocks == 0 ? 0 : column[from];
          for (int e = 0; e < n * n; ++e) {
            a.value[static_cast<std::size_t>(a.place(slot, e / n, e % n))] = m < blocks ? block[from].at[e] : Real{0};
          }
        }
      }
    }
  });
  return a;
}

// The block of row i in column j, or where none is stored 0; for proofs and tests.
template <class Real, int n>
Block<Real, n> block_at(const BlockSell<Real, n>& a, std::int64_t i, std::int64_t j);

// y = A x, over a range of chunks or all of them. Each row is summed block by block in the order of storage, whatever c
// and the number of threads are. Where a row is padded, Inf in its last x (in x[0] of an empty row) makes its y NaN.
template <class Real, int n>
void multiply(Range chunks, const BlockSell<Real, n>& a, const Real* x, Real* y);
template <class Real, int n>
void multiply(const BlockSell<Real, n>& a, const Real* x, Real* y) {
  share(a.chunks, [&](Range mine) { multiply(mine, a, x, y); });
}

// y = D x of a block-diagonal matrix, over a range of block rows or all of them.
template <class Real, int n>
void multiply(Range rows, const Block<Real, n>* diagonal, const Real* x, Real* y) {
  for (std::int64_t i = rows.first; i < rows.last; ++i) {
    Real in[n], out[n];
    for (int j = 0; j < n; ++j) in[j] = x[i * n + j];
    for (int k = 0; k < n; ++k) {
      out[k] = diagonal[i](k, 0) * in[0];
      for (int j = 1; j < n; ++j) out[k] += diagonal[i](k, j) * in[j];
    }
    for (int k = 0; k < n; ++k) y[i * n + k] = out[k];
  }
}
template <class Real, int n>
void multiply(std::int64_t rows, const Block<Real, n>* diagonal, const Real* x, Real* y) {
  share_blocks(rows, [=](Range mine) { multiply(mine, diagonal, x, y); });
}

// Compulsory bytes: each value and index of a column once, without padding, each vector once. A block is n^2 products
// and as many sums.
constexpr Work block_sell_work(std::int64_t rows, std::int64_t columns, std::int64_t entries, int n,
                               std::int64_t bytes) {
  return {.flop = 2 * n * n * entries,
          .bytes_read = (n * n * bytes + 4) * entries + n * bytes * columns,
          .bytes_written = n * bytes * rows};
}
// The first product of a sum adds to nothing.
constexpr Work block_diagonal_work(std::int64_t rows, int n, std::int64_t bytes) {
  return {.flop = n * (2 * n - 1) * rows, .bytes_read = (n * n + n) * bytes * rows, .bytes_written = n * bytes * rows};
}

}  // namespace tenken
