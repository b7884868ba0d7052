#include "freivalds.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "base/random.hpp"

namespace dgemm {

Freivalds::Freivalds(int n, double alpha, const double* a, const double* b, double beta, const double* c, unsigned seed)
    : n_(n), alpha_(alpha), beta_(beta) {
  for (int v = 0; v < vectors; ++v) {
    const tenken::RandomStream random(seed, static_cast<std::uint64_t>(v));
    for (int i = 0; i < n; ++i) x_[v].push_back((random.bits(i) & 1) != 0 ? 1.0 : -1.0);
  }
  double norm_a = 0;
  double norm_b = 0;
  abx_ = times(a, times(b, x_, norm_b), norm_a);
  norm_ab_ = norm_a * norm_b;
  cx_ = times(c, x_, norm_c_);
}

double Freivalds::residual(const double* c) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  const double unit = n_ * eps * (std::abs(alpha_) * norm_ab_ + std::abs(beta_) * norm_c_);
  Vectors after = times(c, x_, norm_c_);
  double greatest = 0;
  for (int v = 0; v < vectors; ++v) {
    for (std::size_t i = 0; i < after[v].size(); ++i) {
      const double error = std::abs(after[v][i] - (alpha_ * abx_[v][i] + beta_ * cx_[v][i]));
      if (!std::isfinite(error)) return worst_ = std::numeric_limits<double>::quiet_NaN();
      greatest = std::max(greatest, error);
    }
  }
  cx_ = std::move(after);
  if (greatest / unit > worst_) worst_ = greatest / unit;  // false for a NaN before
  return greatest / unit;
}

Freivalds::Vectors Freivalds::times(const double* matrix, const Vectors& x, double& norm) const {
  const auto n = static_cast<std::size_t>(n_);
  Vectors y;
  y.fill(std::vector<double>(n, 0.0));
  std::vector<double> row_sums(n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    const double* const column = matrix + j * n;
    for (int v = 0; v < vectors; ++v) {
      const double factor = x[v][j];
      for (std::size_t i = 0; i < n; ++i) y[v][i] += factor * column[i];
    }
    for (std::size_t i = 0; i < n; ++i) row_sums[i] += std::abs(column[i]);
  }
  norm = *std::max_element(row_sums.begin(), row_sums.end());
  return y;
}

}  // namespace dgemm
