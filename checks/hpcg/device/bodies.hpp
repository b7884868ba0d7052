// What each thread of a card does: one row of a sweep or product, one element of a vector. Row i of a kernel is place
// `first` + i of the order of colours.
#pragma once

#include <cstdint>

#include "gpu/form.hpp"

namespace tenken::hpcg::device {

constexpr int chunk =
    32;  // rows whose slots lie beside each other, so that neighbouring threads read neighbouring bytes

// One triangle of the matrix: chunk k has the slots start[k] to start[k + 1], slot by slot `chunk` rows.
struct Triangle {
  const std::int64_t* start = nullptr;
  const std::int32_t* column = nullptr;  // a place; -1 where the row has fewer entries
  const double* value = nullptr;

  TENKEN_DEVICE double times(const double* x, std::int64_t row) const {
    const std::int64_t k = row / chunk;
    const std::int64_t last = start[k + 1];
    double sum = 0;
    for (std::int64_t slot = start[k] + row % chunk; slot < last; slot += chunk) {
      const std::int32_t at = column[slot];
      if (at >= 0) sum += value[slot] * x[at];
    }
    return sum;
  }
};

// A = lower + diagonal + upper. Columns of other ranks are in `lower`.
struct Matrix {
  Triangle lower, upper;
  const double* diagonal = nullptr;

  TENKEN_DEVICE double times(const double* x, std::int64_t row) const {
    return diagonal[row] * x[row] + lower.times(x, row) + upper.times(x, row);
  }
};

// Where x of later colours and of other ranks is 0: x = (r - L x) / d
struct ForwardFromZero {
  Matrix a;
  std::int64_t first;
  const double* r;
  double* x;

  TENKEN_DEVICE void operator()(std::int64_t i) const {
    const std::int64_t row = first + i;
    x[row] = (r[row] - a.lower.times(x, row)) / a.diagonal[row];
  }
};

// After it: x -= U x / d
struct BackwardFromZero {
  Matrix a;
  std::int64_t first;
  double* x;

  TENKEN_DEVICE void operator()(std::int64_t i) const {
    const std::int64_t row = first + i;
    x[row] -= a.upper.times(x, row) / a.diagonal[row];
  }
};

// rest = r - L x, x = (rest - U x) / d
struct Forward {
  Matrix a;
  std::int64_t first;
  const double* r;
  double* x;
  double* rest;

  TENKEN_DEVICE void operator()(std::int64_t i) const {
    const std::int64_t row = first + i;
    const double left = r[row] - a.lower.times(x, row);
    rest[row] = left;
    x[row] = (left - a.upper.times(x, row)) / a.diagonal[row];
  }
};

// x = (rest - U x) / d; L x is still what it was when Forward came by.
struct Backward {
  Matrix a;
  std::int64_t first;
  const double* rest;
  double* x;

  TENKEN_DEVICE void operator()(std::int64_t i) const {
    const std::int64_t row = first + i;
    x[row] = (rest[row] - a.upper.times(x, row)) / a.diagonal[row];
  }
};

// y = A x
struct Multiply {
  Matrix a;
  std::int64_t first;
  const double* x;
  double* y;

  TENKEN_DEVICE void operator()(std::int64_t i) const { y[first + i] = a.times(x, first + i); }
};

// The residual at the rows of the next grid: coarse[to[i]] = r - A x
struct Restrict {
  Matrix a;
  std::int64_t first;
  const double* r;
  const double* x;
  const std::int32_t* to;
  double* coarse;

  TENKEN_DEVICE void operator()(std::int64_t i) const { coarse[to[i]] = r[first + i] - a.times(x, first + i); }
};

// The correction at the same rows: x += coarse[to[i]]
struct Prolong {
  std::int64_t first;
  const std::int32_t* to;
  const double* coarse;
  double* x;

  TENKEN_DEVICE void operator()(std::int64_t i) const { x[first + i] += coarse[to[i]]; }
};

// What other ranks need, in the order of the messages.
struct Pack {
  const std::int32_t* places;
  const double* x;
  double* out;

  TENKEN_DEVICE void operator()(std::int64_t i) const { out[i] = x[places[i]]; }
};

// p = z + beta p
struct Direction {
  double beta;
  const double* z;
  double* p;

  TENKEN_DEVICE void operator()(std::int64_t i) const { p[i] = z[i] + beta * p[i]; }
};

// x += step p, r -= step q
struct Update {
  double step;
  const double* p;
  const double* q;
  double* x;
  double* r;

  TENKEN_DEVICE void operator()(std::int64_t i) const {
    x[i] += step * p[i];
    r[i] -= step * q[i];
  }
};

// The sum of x[i] y[i], or of x[i] where y is null.
struct Products {
  const double* x;
  const double* y;
  std::int64_t n;

  TENKEN_DEVICE double operator()(std::int64_t first, std::int64_t stride) const {
    double sum = 0;
    for (std::int64_t i = first; i < n; i += stride) sum += y == nullptr ? x[i] : x[i] * y[i];
    return sum;
  }
};

}  // namespace tenken::hpcg::device
