// Small dense blocks, n x n with n known to the compiler (up to 8), row by row.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "base/work.hpp"

namespace tenken {

template <class Real, int n>
struct Block {
  static_assert(n >= 1 && n <= 8);
  std::array<Real, n * n> at{};

  Real& operator()(int i, int j) { return at[static_cast<std::size_t>(i * n + j)]; }
  const Real& operator()(int i, int j) const { return at[static_cast<std::size_t>(i * n + j)]; }
};

// y += A x
template <class Real, int n>
inline void multiply_add(const Block<Real, n>& a, const Real* x, Real* y) {
  for (int i = 0; i < n; ++i) {
    Real sum = y[i];
    for (int j = 0; j < n; ++j) sum += a(i, j) * x[j];
    y[i] = sum;
  }
}

// P A = L U with the largest pivot of each column (partial pivoting).
template <class Real, int n>
class Lu {
 public:
  explicit Lu(const Block<Real, n>& a) : lu_(a) {
    for (int k = 0; k < n; ++k) {
      int largest = k;
      for (int i = k + 1; i < n; ++i) {
        if (std::abs(lu_(i, k)) > std::abs(lu_(largest, k))) largest = i;
      }
      pivot_[static_cast<std::size_t>(k)] = largest;
      // Also where the pivot is NaN.
      if (!(std::abs(lu_(largest, k)) > 0)) {
        singular_ = true;
        return;
      }
      for (int j = 0; largest != k && j < n; ++j) std::swap(lu_(k, j), lu_(largest, j));
      for (int i = k + 1; i < n; ++i) {
        const Real factor = lu_(i, k) /= lu_(k, k);
        for (int j = k + 1; j < n; ++j) lu_(i, j) -= factor * lu_(k, j);
      }
    }
  }

  // A column of zeros, or NaN, was met: solve() must not be called.
  bool singular() const { return singular_; }

  // b: the right side at first, then the solution.
  void solve(Real* b) const {
    for (int k = 0; k < n; ++k) std::swap(b[k], b[pivot_[static_cast<std::size_t>(k)]]);
    for (int i = 1; i < n; ++i) {
      for (int j = 0; j < i; ++j) b[i] -= lu_(i, j) * b[j];
    }
    for (int i = n - 1; i >= 0; --i) {
      for (int j = i + 1; j < n; ++j) b[i] -= lu_(i, j) * b[j];
      b[i] /= lu_(i, i);
    }
  }

  Block<Real, n> inverse() const {
    Block<Real, n> result;
    for (int j = 0; j < n; ++j) {
      Real column[n] = {};
      column[j] = 1;
      solve(column);
      for (int i = 0; i < n; ++i) result(i, j) = column[i];
    }
    return result;
  }

 private:
  Block<Real, n> lu_;
  std::array<int, n> pivot_{};
  bool singular_ = false;
};

constexpr Work multiply_add_work(std::int64_t blocks, int n, std::int64_t bytes) {
  return {
      .flop = 2 * n * n * blocks, .bytes_read = (n * n + 2 * n) * bytes * blocks, .bytes_written = n * bytes * blocks};
}

}  // namespace tenken
