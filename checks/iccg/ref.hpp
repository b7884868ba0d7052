// The plain twin: ICCG as in a textbook, row by row in the order that is given, on compressed rows and one thread.
// Numbers are anything with + - * /.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "numerics/csr.hpp"

namespace iccg::plain {

// IC(0) with the diagonal raised by `shift` of its value: l_ij in the place of a_ij and of a_ji, and the pivots.
struct Factor {
  std::vector<double> l, e;
};

inline std::size_t index_of(const tenken::Csr<double>& a, std::int64_t i, std::int64_t j) {
  return static_cast<std::size_t>(find_entry(a, i, j) - a.value.data());
}

inline Factor factor_of(const tenken::Csr<double>& a, double shift = 0) {
  Factor f{std::vector<double>(a.value.begin(), a.value.end()), std::vector<double>(static_cast<std::size_t>(a.rows))};
  for (std::int64_t i = 0; i < a.rows; ++i) {
    auto& of_i = f.e[static_cast<std::size_t>(i)];
    of_i = *find_entry(a, i, i) * (1 + shift);
    for (std::int64_t n = a.row(i).first; n < a.row(i).last; ++n) {
      const std::int64_t j = a.column[static_cast<std::size_t>(n)];
      if (j >= i) continue;
      double value = a.value[static_cast<std::size_t>(n)];
      for (std::int64_t m = a.row(j).first; m < a.row(j).last; ++m) {
        const std::int64_t k = a.column[static_cast<std::size_t>(m)];
        if (k >= j || find_entry(a, i, k) == nullptr) continue;
        value -= f.l[index_of(a, i, k)] * f.l[static_cast<std::size_t>(m)] / f.e[static_cast<std::size_t>(k)];
      }
      f.l[static_cast<std::size_t>(n)] = f.l[index_of(a, j, i)] = value;
      of_i -= value * value / f.e[static_cast<std::size_t>(j)];
    }
  }
  return f;
}

// z = M^-1 r
inline void precondition(const tenken::Csr<double>& a, const Factor& f, const std::vector<double>& r,
                         std::vector<double>& z) {
  for (std::int64_t i = 0; i < a.rows; ++i) {
    double sum = r[static_cast<std::size_t>(i)];
    for (std::int64_t n = a.row(i).first; n < a.row(i).last; ++n) {
      const std::int64_t j = a.column[static_cast<std::size_t>(n)];
      if (j < i) sum -= f.l[static_cast<std::size_t>(n)] * z[static_cast<std::size_t>(j)];
    }
    z[static_cast<std::size_t>(i)] = sum / f.e[static_cast<std::size_t>(i)];
  }
  for (std::int64_t i = a.rows - 1; i >= 0; --i) {
    double sum = 0;
    for (std::int64_t n = a.row(i).first; n < a.row(i).last; ++n) {
      const std::int64_t j = a.column[static_cast<std::size_t>(n)];
      if (j > i) sum += f.l[static_cast<std::size_t>(n)] * z[static_cast<std::size_t>(j)];
    }
    z[static_cast<std::size_t>(i)] -= sum / f.e[static_cast<std::size_t>(i)];
  }
}

inline double dot(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

// Iterations to |r| <= tolerance |b|; x becomes the solution. `history` gets |r| / |b| after each.
inline int solve(const tenken::Csr<double>& a, const std::vector<double>& b, double tolerance, int most,
                 std::vector<double>& x, std::vector<double>* history = nullptr, double shift = 0) {
  const Factor factor = factor_of(a, shift);
  x.assign(b.size(), 0.0);
  std::vector<double> r = b, z(b.size()), p(b.size()), q(b.size());
  double rho_before = 0;
  const double of_b = std::sqrt(dot(b, b));
  for (int n = 1; n <= most; ++n) {
    precondition(a, factor, r, z);
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
