#include "numerics/dft/mixing.hpp"

#include <cmath>
#include <utility>

namespace tenken::dft {

namespace {

// Symmetric positive definite up to rounding; rows whose pivot is rounding are left out (their unknown is 0).
std::vector<double> solved(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = b.size();
  std::vector<double> diagonal(n);
  for (std::size_t i = 0; i < n; ++i) diagonal[i] = a[i][i];
  std::vector<bool> used(n, true);
  for (std::size_t k = 0; k < n; ++k) {
    used[k] = a[k][k] > 1e-12 * diagonal[k];
    for (std::size_t i = k + 1; used[k] && i < n; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  std::vector<double> x(n, 0.0);
  for (std::size_t k = n; k-- > 0;) {
    if (!used[k]) continue;
    x[k] = b[k];
    for (std::size_t j = k + 1; j < n; ++j) x[k] -= a[k][j] * x[j];
    x[k] /= a[k][k];
  }
  return x;
}

}  // namespace

std::vector<double> AndersonMixing::next(const std::vector<double>& in, const std::vector<double>& out) {
  const std::size_t n = in.size();
  Step now{in, std::vector<double>(n)};
  for (std::size_t i = 0; i < n; ++i) now.residual[i] = out[i] - in[i];

  // The combination of earlier steps' differences to this one that makes the residual least; newest first.
  const std::size_t m = steps_.size();
  const auto step = [&](std::size_t j) -> const Step& { return steps_[m - 1 - j]; };
  std::vector<std::vector<double>> products(m, std::vector<double>(m));
  std::vector<double> right(m);
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t l = 0; l <= j; ++l) {
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i)
        sum += (now.residual[i] - step(j).residual[i]) * (now.residual[i] - step(l).residual[i]);
      products[j][l] = products[l][j] = sum;
    }
    for (std::size_t i = 0; i < n; ++i) right[j] += (now.residual[i] - step(j).residual[i]) * now.residual[i];
  }
  const std::vector<double> weights = solved(std::move(products), std::move(right));

  std::vector<double> mixed(n);
  for (std::size_t i = 0; i < n; ++i) {
    double density = now.in[i], residual = now.residual[i];
    for (std::size_t j = 0; j < m; ++j) {
      density -= weights[j] * (now.in[i] - step(j).in[i]);
      residual -= weights[j] * (now.residual[i] - step(j).residual[i]);
    }
    mixed[i] = density + share_ * residual;
  }
  steps_.push_back(std::move(now));
  while (steps_.size() > history_) steps_.pop_front();
  return mixed;
}

}  // namespace tenken::dft
