#include "numerics/tridiagonal.hpp"

#include <algorithm>
#include <vector>

namespace tenken {

namespace {

// Systems that go through elimination together: enough lanes to hide the latency of the division, few enough rows of
// factors for the first level of cache.
constexpr std::int64_t batch = 64;

template <class Real>
void solve_batch(const Tridiagonal<Real>& a, std::int64_t first, std::int64_t count, Real* x, Real* factor) {
  const std::int64_t stride = a.systems;
  const Real* const lower = a.lower + first;
  const Real* const diagonal = a.diagonal + first;
  const Real* const upper = a.upper + first;
  x += first;
#pragma omp simd
  for (std::int64_t s = 0; s < count; ++s) {
    const Real inverse = 1 / diagonal[s];
    factor[s] = inverse;
    x[s] *= inverse;
  }
  // factor: of row k the inverse pivot at first, times upper before row k + 1 is reached.
  for (std::int64_t k = 1; k < a.rows; ++k) {
    const std::int64_t at = k * stride;
    Real* const above = factor + (k - 1) * batch;
    Real* const own = factor + k * batch;
#pragma omp simd
    for (std::int64_t s = 0; s < count; ++s) {
      above[s] *= upper[at - stride + s];
      const Real inverse = 1 / (diagonal[at + s] - lower[at + s] * above[s]);
      own[s] = inverse;
      x[at + s] = (x[at + s] - lower[at + s] * x[at - stride + s]) * inverse;
    }
  }
  for (std::int64_t k = a.rows - 2; k >= 0; --k) {
    const std::int64_t at = k * stride;
#pragma omp simd
    for (std::int64_t s = 0; s < count; ++s) x[at + s] -= factor[k * batch + s] * x[at + stride + s];
  }
}

}  // namespace

template <class Real>
void solve(Range systems, const Tridiagonal<Real>& a, Real* x) {
  if (a.rows == 0) return;
  static thread_local std::vector<Real> factor;  // kept, so that no timed call allocates
  factor.resize(std::max(factor.size(), static_cast<std::size_t>(a.rows * batch)));
  for (std::int64_t first = systems.first; first < systems.last; first += batch) {
    solve_batch(a, first, std::min(batch, systems.last - first), x, factor.data());
  }
}

template void solve(Range, const Tridiagonal<double>&, double*);
template void solve(Range, const Tridiagonal<float>&, float*);

}  // namespace tenken
