// Sparse matrices by compressed rows: what is assembled, read from files, ordered and factorised. The fast product is
// that of sell.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/work.hpp"
#include "numerics/team.hpp"

namespace tenken {

// Most rows and columns: indices of columns take 4 bytes.
constexpr std::int64_t most_rows = (std::int64_t{1} << 31) - 1;

template <class Real>
struct Csr {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  Buffer<std::int64_t> begin;   // rows + 1: where each row starts in column and value
  Buffer<std::int32_t> column;  // ascending inside a row
  Buffer<Real> value;

  std::int64_t entries() const { return begin[static_cast<std::size_t>(rows)]; }
  Range row(std::int64_t i) const {
    return {begin[static_cast<std::size_t>(i)], begin[static_cast<std::size_t>(i) + 1]};
  }
};

// The places of the entries alone, of a matrix that stays where it is.
struct Pattern {
  std::int64_t rows = 0;
  const std::int64_t* begin = nullptr;
  const std::int32_t* column = nullptr;

  template <class Real>
  Pattern(const Csr<Real>& a) : rows(a.rows), begin(a.begin.data()), column(a.column.data()) {}

  std::span<const std::int32_t> row(std::int64_t i) const {
    return {column + begin[i], static_cast<std::size_t>(begin[i + 1] - begin[i])};
  }
};

// A matrix built row by row on all threads. count(i): entries of row i. fill(i, column, value): writes them, columns
// ascending. Each row is touched first by the thread that multiply() gives it to.
template <class Real, class Count, class Fill>
Csr<Real> make_csr(std::int64_t rows, std::int64_t columns, const Count& count, const Fill& fill) {
  Csr<Real> a{rows, columns, make_array<std::int64_t>(rows + 1, "starts of matrix rows"), {}, {}};
  std::int64_t* const begin = a.begin.data();
  share(rows, [&](Range mine) {
    for (std::int64_t i = mine.first; i < mine.last; ++i) begin[i + 1] = count(i);
  });
  for (std::int64_t i = 0; i < rows; ++i) begin[i + 1] += begin[i];
  a.column = Buffer<std::int32_t>(static_cast<std::size_t>(begin[rows]), Pages::huge, "columns of matrix entries");
  a.value = Buffer<Real>(static_cast<std::size_t>(begin[rows]), Pages::huge, "values of matrix entries");
  share(rows, [&](Range mine) {
    for (std::int64_t i = mine.first; i < mine.last; ++i)
      fill(i, a.column.data() + begin[i], a.value.data() + begin[i]);
  });
  return a;
}

struct Entry {
  std::int32_t row;
  std::int32_t column;
  double value;
};

// A matrix from entries in any order. A place given twice is returned as the second member, and the matrix is empty.
std::pair<Csr<double>, std::optional<Entry>> csr_from(std::int64_t rows, std::int64_t columns,
                                                      std::span<const Entry> entries);

// The same with the entries of a place added up, in their order; the second member is how many were added to others.
std::pair<Csr<double>, std::int64_t> csr_of_sums(std::int64_t rows, std::int64_t columns,
                                                 std::span<const Entry> entries);

// y = A x, over a range of rows or all of them.
template <class Real>
void multiply(Range rows, const Csr<Real>& a, const Real* x, Real* y);
template <class Real>
void multiply(const Csr<Real>& a, const Real* x, Real* y) {
  share(a.rows, [&](Range mine) { multiply(mine, a, x, y); });
}

// The first entry a_ij that differs from a_ji by more than tolerance times the larger of |a_ij| and |a_ji|, or has no
// partner; none in a symmetric matrix. The matrix must be square.
template <class Real>
std::optional<Entry> unsymmetric_entry(const Csr<Real>& a, double tolerance);

// The entry of row i in column j, or null.
template <class Real>
const Real* find_entry(const Csr<Real>& a, std::int64_t i, std::int64_t j);

// A with rows and columns in another order: row i of the result is row order[i] of A. A must be square, and order hold
// every row once.
template <class Real>
Csr<Real> permuted(const Csr<Real>& a, std::span<const std::int32_t> order);

// Compulsory bytes: each value, index of a column and start of a row once, each vector once.
constexpr Work csr_work(std::int64_t rows, std::int64_t columns, std::int64_t entries, std::int64_t bytes) {
  return {.flop = 2 * entries,
          .bytes_read = (bytes + 4) * entries + 8 * (rows + 1) + bytes * columns,
          .bytes_written = bytes * rows};
}

}  // namespace tenken
