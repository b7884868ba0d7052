// The plain twin: ICCG as in a textbook, row by row in the order that is given, on compressed rows and one thread.
// Numbers are anything with + - * /.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "numerics/csr.hpp"

namespace iccg::plain {

// e_i = a_ii - sum over j < i of a_ij^2 / e_j.
inline std::vector<double> pivots(const tenken::Csr<double>& a) {
  std::vector<double> e(static_cast<std::size_t>(a.rows));
  for (std::int64_t i = 0; i < a.rows; ++i) {
    auto& of_i = e[static_cast<std::size_t>(i)];
    for (std::int64_t n = a.row(i).first; n < a.row(i).last; ++n) {
      const std::int64_t j = a.column[static_cast<std::size_t>(n)];
      const double value = a.value[static_cast<std::size_t>(n)];
      if (j == i) of_i += value;
      if (j < i) of_i -= value * value / e[static_cast<std::size_t>(j)];
    }
  }
  return e;
}

// z = M^-1 r
inline void precondition(const tenken::Csr<double>& a, const std::vector<double>& e, const std::vector<double>& r,
                         std::vector<double>& z) {
  for (std::int64_t i = 0; i < a.rows; ++i) {
    double sum = r[static_cast<std::size_t>(i)];
    for (std::int64_t n = a.row(i).first; n < a.row(i).last; ++n) {
      const std::int64_t j = a.column[static_cast<std::size_t>(n)];
      if (j < i) sum -= a.value[static_cast<std::size_t>(n)] * z[static_cast<std::size_t>(j)];
    }
    z[static_cast<std::size_t>(i)] = sum / e[static_cast<std::size_t>(i)];
  }
  for (std::int64_t i = a.rows - 1; i >= 0; --i) {
    double sum = 0;
    for (std::int64_t n = a.row(i).first; n < a.row(i).last; ++n) {
      const std::int64_t j = a.column[static_cast<std::size_t>(n)];
      if (j > i) sum += a.value[static_cast<std::size_t>(n)] * z[static_cast<std::size_t>(j)];
    }
    z[static_cast<std::size_t>(i)] -= sum / e[static_cast<std::size_t>(i)];
  }
}

inline double dot(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

// Iterations to |r| <= tolerance |b|; x becomes the solution. `history` gets |r| / |b| after each.
inline int solve(const tenken::Csr<double>& a, const std::vector<double>& b, double tolerance, int most,
                 std::vector<double>& x, std::vector<double>* history = nullptr) {
  const std::vector<double> e = pivots(a);
  x.assign(b.size(), 0.0);
  std::vector<double> r = b, z(b.size()), p(b.size()), q(b.size());
  double rho_before = 0;
  const double of_b = std::sqrt(dot(b, b));
  for (int n = 1; n <= most; ++n) {
    precondition(a, e, r, z);
    const double rho = dot(r, z);
    const double beta = rho_before > 0 ? rho / rho_before : 0;
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = z[i] + beta * p[i];
    for (std::int64_t i = 0; i < a.rows; ++i) {
      double sum = 0;
      for (std::int64_t m = a.row(i).first; m < a.row(i).last; ++m) {
        sum +=
            a.value[static_cast<std::size_t>(m)] * p[static_cast<std::size_t>(a.column[static_cast<std::size_t>(m)])];
      }
      q[static_cast<std::size_t>(i)] = sum;
    }
    const double alpha = rho / dot(p, q);
    for (std::size_t i = 0; i < p.size(); ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    rho_before = rho;
    const double residual = std::sqrt(dot(r, r)) / of_b;
    if (history != nullptr) history->push_back(residual);
    if (residual <= tolerance) return n;
  }
  return most;
}

}  // namespace iccg::plain
