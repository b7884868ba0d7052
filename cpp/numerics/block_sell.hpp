// Symmetric sparse matrices of small dense blocks, multiplied as SELL-C of blocks. Of the blocks (i, j) and (j, i) only
// that of the upper triangle is stored, and multiplied both ways, so that a product reads half of the matrix. Blocks in
// columns from `rows` on, which belong to rows of other ranks, are multiplied one way.
//
// C block rows fill the lanes of a vector: a slot holds, one after the other, the n x n elements of C blocks, each
// element in C lanes, so that values are read in one stream. Rows stay in their order. Where the blocks of a chunk lie
// on as few diagonals as its longest row has blocks, a slot is a diagonal: its columns are consecutive, and vectors are
// loaded and stored whole.
//
// A matrix is cut into parts, as many as there were threads when it was made. A part adds to rows beyond its own in an
// array of its own, its spill, which the owners of the rows add afterwards.
//
// Vectors hold the n numbers of an item (a node of a mesh) side by side.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "numerics/block.hpp"
#include "numerics/csr.hpp"
#include "simd/vec.hpp"

namespace tenken {

constexpr int most_block_lanes = 16;

template <class Real, int n>
struct BlockSell {
  std::int64_t rows = 0;  // of blocks, and so are columns and entries
  std::int64_t columns = 0;
  std::int64_t entries = 0;   // stored, without padding
  std::int64_t mirrored = 0;  // of these, multiplied both ways
  std::int64_t indices = 0;   // that a product reads: the lead of c slots, and their columns where it is -1
  int c = 2;
  std::int64_t chunks = 0;
  // Where the slots of each chunk start, always a multiple of c: those of the diagonal, then the mirrored ones, from
  // `outside` on those of other ranks.
  Buffer<std::int64_t> begin;             // chunks + 1
  Buffer<std::int64_t> outside;           // chunks
  Buffer<std::int64_t> reach;             // chunks: one beyond the farthest row that a chunk adds to
  Buffer<std::int32_t> column;            // padding names a column of the chunk, or a neighbour of one
  Buffer<std::int32_t> lead;              // of c slots: the first column, where columns are consecutive; else -1
  Buffer<Real> value;                     // n x n a slot; padding is 0
  std::vector<std::int64_t> spill_begin;  // parts + 1: items
  Buffer<Real> spill;

  int parts() const { return static_cast<int>(spill_begin.size()) - 1; }
  Range part(int p) const { return share_of(chunks, p, parts()); }
  std::int64_t slots() const { return begin[static_cast<std::size_t>(chunks)]; }
  double fill() const { return slots() == 0 ? 1 : static_cast<double>(entries) / static_cast<double>(slots()); }
  // Where element (i, j) of a block is.
  std::int64_t place(std::int64_t slot, int i, int j) const {
    return slot / c * c * n * n + (i * n + j) * c + slot % c;
  }
};

namespace detail {

// c slots of a chunk: the column of each lane and which block of its row that is, -1 where it is padding.
struct BlockSlots {
  std::array<std::int32_t, most_block_lanes> column;
  std::array<std::int32_t, most_block_lanes> source;
};
struct BlockChunk {
  std::vector<BlockSlots> slots;
  std::size_t outside = 0;  // from here on
  std::int64_t blocks = 0, mirrored = 0;
};
// columns: of the blocks of rows first, first + 1, ..., up to c of them.
BlockChunk lay_out(std::int64_t first, int c, std::int64_t rows, std::int64_t all_columns,
                   const std::vector<std::vector<std::int32_t>>& columns);
// First of c consecutive columns, else -1.
std::int32_t lead_of(const std::int32_t* column, int c);

inline void require_block_chunks(int c) {
  if (c == 2 || c == 4 || c == 8 || c == 16) return;
  refuse("SELL chunks of " + std::to_string(c) + " block rows cannot be multiplied; use 2, 4, 8 or 16");
}

template <class Real, int n, class Places>
BlockChunk lay_out(const BlockSell<Real, n>& a, std::int64_t k, const Places& places) {
  std::vector<std::vector<std::int32_t>> columns;
  for (std::int64_t i = k * a.c; i < std::min(a.rows, (k + 1) * a.c); ++i) places(i, columns.emplace_back());
  return lay_out(k * a.c, a.c, a.rows, a.columns, columns);
}

// Sizes of the arrays, by laying out each chunk.
template <class Real, int n, class Places>
void measure_chunks(BlockSell<Real, n>& a, const Places& places) {
  a.begin = make_array<std::int64_t>(a.chunks + 1, "starts of matrix chunks");
  a.outside = make_array<std::int64_t>(a.chunks, "starts of blocks of other ranks");
  a.reach = make_array<std::int64_t>(a.chunks, "reaches of matrix chunks");
  std::int64_t entries = 0, mirrored = 0;
#pragma omp parallel for schedule(static) reduction(+ : entries, mirrored)
  for (std::int64_t k = 0; k < a.chunks; ++k) {
    const BlockChunk chunk = lay_out(a, k, places);
    const auto at = static_cast<std::size_t>(k);
    entries += chunk.blocks;
    mirrored += chunk.mirrored;
    a.begin[at + 1] = static_cast<std::int64_t>(chunk.slots.size()) * a.c;
    a.outside[at] = static_cast<std::int64_t>(chunk.outside) * a.c;
    for (std::size_t m = 0; m < chunk.outside; ++m) {
      for (int l = 0; l < a.c; ++l) {
        a.reach[at] = std::max<std::int64_t>(a.reach[at], chunk.slots[m].column[static_cast<std::size_t>(l)] + 1);
      }
    }
  }
  a.entries = entries;
  a.mirrored = mirrored;
  for (std::size_t k = 0; k < static_cast<std::size_t>(a.chunks); ++k) {
    a.begin[k + 1] += a.begin[k];
    a.outside[k] += a.begin[k];
  }
}

template <class Real, int n>
void make_spills(BlockSell<Real, n>& a) {
  a.spill_begin.assign(static_cast<std::size_t>(omp_get_max_threads()) + 1, 0);
  for (int p = 0; p < a.parts(); ++p) {
    const Range mine = a.part(p);
    std::int64_t reach = std::min(a.rows, mine.last * a.c);
    const std::int64_t end = reach;
    for (std::int64_t k = mine.first; k < mine.last; ++k) reach = std::max(reach, a.reach[static_cast<std::size_t>(k)]);
    a.spill_begin[static_cast<std::size_t>(p) + 1] = a.spill_begin[static_cast<std::size_t>(p)] + reach - end;
  }
  a.spill = Buffer<Real>(static_cast<std::size_t>(a.spill_begin.back() * n), Pages::huge, "sums for rows of others");
}

}  // namespace detail

// A matrix built row by row on all threads, never stored otherwise; outside of parallel regions. places(i, columns):
// appends the columns of the stored blocks of row i, which are i and more, each once. fill(i, block): writes the blocks
// in the same order; it is called once, by the thread that multiplies the row. Throws UserError where c is none of 2,
// 4, 8, 16.
template <class Real, int n, class Places, class Fill>
BlockSell<Real, n> make_block_sell(std::int64_t rows, std::int64_t columns, int c, const Places& places,
                                   const Fill& fill) {
  detail::require_block_chunks(c);
  BlockSell<Real, n> a;
  a.rows = rows;
  a.columns = columns;
  a.c = c;
  a.chunks = (rows + c - 1) / c;
  detail::measure_chunks(a, places);
  detail::make_spills(a);
  a.column = Buffer<std::int32_t>(static_cast<std::size_t>(a.slots()), Pages::huge, "columns of matrix blocks");
  a.lead = Buffer<std::int32_t>(static_cast<std::size_t>(a.slots() / c), Pages::huge, "first columns of slots");
  a.value = Buffer<Real>(static_cast<std::size_t>(a.slots() * n * n), Pages::huge, "values of matrix blocks");
  share(a.chunks, [&](Range mine) {
    std::vector<std::vector<Block<Real, n>>> block(static_cast<std::size_t>(c));
    for (std::int64_t k = mine.first; k < mine.last; ++k) {
      const detail::BlockChunk chunk = detail::lay_out(a, k, places);
      std::vector<std::int32_t> row;
      for (std::int64_t i = k * c; i < std::min(rows, (k + 1) * c); ++i) {
        row.clear();
        places(i, row);
        block[static_cast<std::size_t>(i - k * c)].resize(row.size());
        fill(i, block[static_cast<std::size_t>(i - k * c)].data());
      }
      std::int64_t slot = a.begin[static_cast<std::size_t>(k)];
      for (const detail::BlockSlots& slots : chunk.slots) {
        std::int32_t* const column = a.column.data() + slot;
        std::copy_n(slots.column.begin(), c, column);
        a.lead[static_cast<std::size_t>(slot / c)] = detail::lead_of(column, c);
        for (std::size_t l = 0; l < static_cast<std::size_t>(c); ++l, ++slot) {
          for (int e = 0; e < n * n; ++e) {
            a.value[static_cast<std::size_t>(a.place(slot, e / n, e % n))] =
                slots.source[l] < 0 ? Real{0} : block[l][static_cast<std::size_t>(slots.source[l])].at[e];
          }
        }
      }
    }
  });
  a.indices = static_cast<std::int64_t>(a.lead.size()) + c * std::count(a.lead.begin(), a.lead.end(), -1);
  return a;
}

// The block of row i in column j, or where none is stored 0; for proofs and tests.
template <class Real, int n>
Block<Real, n> block_at(const BlockSell<Real, n>& a, std::int64_t i, std::int64_t j);

// y = A x on all threads, outside of parallel regions; a: its spills are written. A function of the parts alone, to the
// last bit, however many threads there are. Inf in x may make more of y NaN than the matrix says, by padding.
template <class Real, int n>
void multiply(BlockSell<Real, n>& a, const Real* x, Real* y);

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

// Compulsory bytes: each stored value once, without padding, the indices that are read, each vector once. A block is
// n^2 products and as many sums, a mirrored one twice.
template <class Real, int n>
Work block_sell_work(const BlockSell<Real, n>& a) {
  constexpr std::int64_t bytes = sizeof(Real), index_bytes = sizeof(std::int32_t);
  return {.flop = 2 * n * n * (a.entries + a.mirrored),
          .bytes_read = n * n * bytes * a.entries + index_bytes * a.indices + n * bytes * a.columns,
          .bytes_written = n * bytes * a.rows};
}
// The first product of a sum adds to nothing.
constexpr Work block_diagonal_work(std::int64_t rows, int n, std::int64_t bytes) {
  return {.flop = n * (2 * n - 1) * rows, .bytes_read = (n * n + n) * bytes * rows, .bytes_written = n * bytes * rows};
}

}  // namespace tenken
