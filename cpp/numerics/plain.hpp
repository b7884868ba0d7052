// Plain twins: what the fast kernels are tested against, and whose work is counted by brute force. Arrays are anything
// with [], numbers anything with + - * /.
#pragma once

#include <cstdint>

namespace tenken::plain {

// y = A x of compressed rows.
template <class Begin, class Column, class Value, class X, class Y>
void multiply(std::int64_t rows, Begin& begin, Column& column, Value& value, X& x, Y& y) {
  for (std::int64_t i = 0; i < rows; ++i) {
    y[i] = 0;
    for (std::int64_t n = begin[i]; n < begin[i + 1]; ++n) y[i] += value[n] * x[column[n]];
  }
}

// y = A x of compressed rows of blocks, n x n, row by row; x and y hold n numbers an item.
template <int n, class Begin, class Column, class Value, class X, class Y>
void multiply_blocks(std::int64_t rows, Begin& begin, Column& column, Value& value, X& x, Y& y) {
  for (std::int64_t i = 0; i < rows; ++i) {
    for (int a = 0; a < n; ++a) {
      y[i * n + a] = 0;
      for (std::int64_t m = begin[i]; m < begin[i + 1]; ++m) {
        for (int b = 0; b < n; ++b) y[i * n + a] += value[(m * n + a) * n + b] * x[column[m] * n + b];
      }
    }
  }
}

// y = D x of diagonal blocks.
template <int n, class Value, class X, class Y>
void multiply_diagonal_blocks(std::int64_t rows, Value& value, X& x, Y& y) {
  for (std::int64_t i = 0; i < rows; ++i) {
    for (int a = 0; a < n; ++a) {
      y[i * n + a] = value[(i * n + a) * n] * x[i * n];
      for (int b = 1; b < n; ++b) y[i * n + a] += value[(i * n + a) * n + b] * x[i * n + b];
    }
  }
}

template <class Number, class X, class Y>
Number dot(std::int64_t n, X& x, Y& y) {
  Number sum{};
  for (std::int64_t i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

// w = a x + b y
template <class Number, class X, class Y, class W>
void waxpby(std::int64_t n, Number a, X& x, Number b, Y& y, W& w) {
  for (std::int64_t i = 0; i < n; ++i) w[i] = a * x[i] + b * y[i];
}

// One tridiagonal system whose rows are `stride` apart, from index `first` on; x: right side, then solution. `upper` is
// scaled on the way.
template <class Number, class Lower, class Diagonal, class Upper, class X>
void solve_tridiagonal(std::int64_t rows, std::int64_t first, std::int64_t stride, Lower& lower, Diagonal& diagonal,
                       Upper& upper, X& x) {
  Number inverse = Number(1) / diagonal[first];
  x[first] *= inverse;
  for (std::int64_t k = 1; k < rows; ++k) {
    const std::int64_t at = first + k * stride;
    upper[at - stride] *= inverse;
    inverse = Number(1) / (diagonal[at] - lower[at] * upper[at - stride]);
    x[at] = (x[at] - lower[at] * x[at - stride]) * inverse;
  }
  for (std::int64_t k = rows - 2; k >= 0; --k) {
    const std::int64_t at = first + k * stride;
    x[at] -= upper[at] * x[at + stride];
  }
}

}  // namespace tenken::plain
