// Updates of vectors, in the two forms of team.hpp.
#pragma once

#include "base/work.hpp"
#include "numerics/team.hpp"

namespace tenken {

// y += a x
template <class Real>
void axpy(Range r, Real a, const Real* x, Real* y) {
#pragma omp simd
  for (std::int64_t i = r.first; i < r.last; ++i) y[i] += a * x[i];
}

// y = x + a y
template <class Real>
void xpay(Range r, const Real* x, Real a, Real* y) {
#pragma omp simd
  for (std::int64_t i = r.first; i < r.last; ++i) y[i] = x[i] + a * y[i];
}

// w = a x + b y; w may be x or y.
template <class Real>
void waxpby(Range r, Real a, const Real* x, Real b, const Real* y, Real* w) {
#pragma omp simd
  for (std::int64_t i = r.first; i < r.last; ++i) w[i] = a * x[i] + b * y[i];
}

// out = a x; out may be x.
template <class Real>
void scale(Range r, Real a, const Real* x, Real* out) {
#pragma omp simd
  for (std::int64_t i = r.first; i < r.last; ++i) out[i] = a * x[i];
}

// out = x, converted where the types differ.
template <class From, class To>
void copy(Range r, const From* x, To* out) {
#pragma omp simd
  for (std::int64_t i = r.first; i < r.last; ++i) out[i] = static_cast<To>(x[i]);
}

template <class Real>
void fill(Range r, Real a, Real* out) {
#pragma omp simd
  for (std::int64_t i = r.first; i < r.last; ++i) out[i] = a;
}

// The same on all n items.
template <class Real>
void axpy(std::int64_t n, Real a, const Real* x, Real* y) {
  share_blocks(n, [=](Range mine) { axpy(mine, a, x, y); });
}
template <class Real>
void xpay(std::int64_t n, const Real* x, Real a, Real* y) {
  share_blocks(n, [=](Range mine) { xpay(mine, x, a, y); });
}
template <class Real>
void waxpby(std::int64_t n, Real a, const Real* x, Real b, const Real* y, Real* w) {
  share_blocks(n, [=](Range mine) { waxpby(mine, a, x, b, y, w); });
}
template <class Real>
void scale(std::int64_t n, Real a, const Real* x, Real* out) {
  share_blocks(n, [=](Range mine) { scale(mine, a, x, out); });
}
template <class From, class To>
void copy(std::int64_t n, const From* x, To* out) {
  share_blocks(n, [=](Range mine) { copy(mine, x, out); });
}
template <class Real>
void fill(std::int64_t n, Real a, Real* out) {
  share_blocks(n, [=](Range mine) { fill(mine, a, out); });
}

// Work on n items of `bytes` bytes each: every vector once, no write-allocate.
constexpr Work axpy_work(std::int64_t n, std::int64_t bytes) {
  return {.flop = 2 * n, .bytes_read = 2 * bytes * n, .bytes_written = bytes * n};
}
constexpr Work xpay_work(std::int64_t n, std::int64_t bytes) { return axpy_work(n, bytes); }
constexpr Work waxpby_work(std::int64_t n, std::int64_t bytes) {
  return {.flop = 3 * n, .bytes_read = 2 * bytes * n, .bytes_written = bytes * n};
}
constexpr Work scale_work(std::int64_t n, std::int64_t bytes) {
  return {.flop = n, .bytes_read = bytes * n, .bytes_written = bytes * n};
}

}  // namespace tenken
