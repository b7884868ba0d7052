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

// y = A x of compressed rows of blocks, n x n, row by row; x and y hold n numbers an item. Of a symmetric matrix the
// rows have the blocks of the upper triangle, and those in columns from `rows` on.
template <int n, class Begin, class Column, class Value, class X, class Y>
void multiply_symmetric_blocks(std::int64_t rows, Begin& begin, Column& column, Value& value, X& x, Y& y) {
  for (std::int64_t i = 0; i < rows * n; ++i) y[i] = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t m = begin[i]; m < begin[i + 1]; ++m) {
      const std::int64_t j = column[m];
      for (int a = 0; a < n; ++a) {
        for (int b = 0; b < n; ++b) {
          y[i * n + a] += value[(m * n + a) * n + b] * x[j * n + b];
          if (i < j && j < rows) y[j * n + b] += value[(m * n + a) * n + b] * x[i * n + a];
        }
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

// A sum that begins with `sum` and loses the products of row i of a triangle.
template <class Number, class Begin, class Column, class Value, class X>
Number less_row(std::int64_t i, Number sum, Begin& begin, Column& column, Value& value, X& x) {
  for (std::int64_t n = begin[i]; n < begin[i + 1]; ++n) sum = sum - value[n] * x[column[n]];
  return sum;
}

// IC(0) of a dense symmetric matrix w of n x n numbers, one elimination after the other: what falls outside of the
// pattern is dropped. Afterwards w has E on its diagonal and L below.
template <class W, class Inside>
void incomplete_cholesky(std::int64_t n, W& w, const Inside& inside) {
  for (std::int64_t k = 0; k < n; ++k) {
    for (std::int64_t i = k + 1; i < n; ++i) {
      if (!inside(i, k)) continue;
      for (std::int64_t j = k + 1; j <= i; ++j) {
        if (inside(j, k) && inside(i, j)) w[i * n + j] -= w[i * n + k] * w[j * n + k] / w[k * n + k];
      }
    }
  }
}

// z = E^-1 (r - L z), rows in their order.
template <class Number, class T, class Inverse, class R, class Z>
void forward(std::int64_t rows, T& lower, Inverse& inverse, R& r, Z& z) {
  for (std::int64_t i = 0; i < rows; ++i) {
    const Number sum = less_row<Number>(i, r[i], lower.begin, lower.column, lower.value, z);
    z[i] = sum * inverse[i];
  }
}

// z -= E^-1 U z, rows backwards.
template <class Number, class T, class Inverse, class Z>
void backward(std::int64_t rows, T& upper, Inverse& inverse, Z& z) {
  for (std::int64_t i = rows - 1; i >= 0; --i) {
    Number sum{};
    for (std::int64_t n = upper.begin[i]; n < upper.begin[i + 1]; ++n) sum += upper.value[n] * z[upper.column[n]];
    z[i] -= sum * inverse[i];
  }
}

// Eisenstat's sweeps: p = r + beta p, t = (1 + U)^-1 p.
template <class Number, class T, class R, class P, class Out>
void sweep_back(std::int64_t rows, T& upper, Number beta, R& r, P& p, Out& t) {
  for (std::int64_t i = rows - 1; i >= 0; --i) {
    const Number direction = r[i] + beta * p[i];
    p[i] = direction;
    t[i] = less_row<Number>(i, direction, upper.begin, upper.column, upper.value, t);
  }
}
// v = (1 + L)^-1 (p + (D - 2) t + R t); returns p.(t + v). minus_rest: -R.
template <class Number, class T, class Rest, class Shift, class P, class In, class Out>
Number sweep_on(std::int64_t rows, T& lower, Rest& minus_rest, Shift& shift, P& p, In& t, Out& v) {
  Number dot{};
  for (std::int64_t i = 0; i < rows; ++i) {
    const Number of_p = p[i], of_t = t[i];
    const Number start =
        less_row<Number>(i, of_p + shift[i] * of_t, minus_rest.begin, minus_rest.column, minus_rest.value, t);
    const Number of_v = less_row<Number>(i, start, lower.begin, lower.column, lower.value, v);
    v[i] = of_v;
    dot += of_p * (of_t + of_v);
  }
  return dot;
}
// x += alpha t, r -= alpha (t + v); returns r.r.
template <class Number, class In, class X, class R>
Number step(std::int64_t rows, Number alpha, In& t, In& v, X& x, R& r) {
  Number dot{};
  for (std::int64_t i = 0; i < rows; ++i) {
    const Number of_t = t[i];
    x[i] += alpha * of_t;
    const Number rest = r[i] - alpha * (of_t + v[i]);
    r[i] = rest;
    dot += rest * rest;
  }
  return dot;
}

}  // namespace tenken::plain
