// Tridiagonal systems, many at once: elimination without pivoting (Thomas), one system a vector lane. Stable where the
// diagonal dominates or the matrix is symmetric and positive definite; a zero pivot gives Inf or NaN.
#pragma once

#include <cstdint>

#include "base/work.hpp"
#include "numerics/team.hpp"

namespace tenken {

// Row k of system s is at [k * systems + s]: lower x_(k-1) + diagonal x_k + upper x_(k+1) = right. lower of the first
// and upper of the last row are not read.
template <class Real>
struct Tridiagonal {
  std::int64_t systems;
  std::int64_t rows;  // of each system
  const Real* lower;
  const Real* diagonal;
  const Real* upper;
};

// x: the right sides at first, then the solutions; over a range of systems or all of them. Each thread takes memory for
// one batch of systems at its first call, then none.
template <class Real>
void solve(Range systems, const Tridiagonal<Real>& a, Real* x);
template <class Real>
void solve(const Tridiagonal<Real>& a, Real* x) {
  share(a.systems, [&](Range mine) { solve(mine, a, x); });
}

// Divisions count as one flop. Compulsory bytes: three coefficients and x read, x written; x read again on the way back
// where it left the cache is not counted.
constexpr Work tridiagonal_work(std::int64_t systems, std::int64_t rows, std::int64_t bytes) {
  return {.flop = systems * (9 * rows - 7),
          .bytes_read = systems * (4 * rows - 2) * bytes,
          .bytes_written = systems * rows * bytes};
}

}  // namespace tenken
