// The plain twin of a step, for tests: dense matrices by loops over elements, one rank, double precision.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "elements.hpp"
#include "flow.hpp"

namespace les {

struct Dense {
  std::size_t rows = 0, columns = 0;
  std::vector<double> value;

  Dense(std::size_t n, std::size_t m) : rows(n), columns(m), value(n * m) {}
  double& operator()(std::size_t i, std::size_t j) { return value[i * columns + j]; }
  double operator()(std::size_t i, std::size_t j) const { return value[i * columns + j]; }
};

inline std::vector<double> product(const Dense& a, const std::vector<double>& x) {
  std::vector<double> y(a.rows);
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < a.columns; ++j) y[i] += a(i, j) * x[j];
  }
  return y;
}
inline std::vector<double> transposed_product(const Dense& a, const std::vector<double>& x) {
  std::vector<double> y(a.columns);
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < a.columns; ++j) y[j] += a(i, j) * x[i];
  }
  return y;
}
inline double dot(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

// By Gauss, with row exchanges.
inline std::vector<double> solved(Dense a, std::vector<double> b) {
  const std::size_t n = a.rows;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i) {
      if (std::abs(a(i, k)) > std::abs(a(pivot, k))) pivot = i;
    }
    for (std::size_t j = 0; j < n; ++j) std::swap(a(k, j), a(pivot, j));
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a(i, k) / a(k, k);
      for (std::size_t j = k; j < n; ++j) a(i, j) -= factor * a(k, j);
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a(k, j) * b[j];
    b[k] /= a(k, k);
  }
  return b;
}

class Twin {
  const Box& box_;
  Flow flow_;
  double smagorinsky_, dt_;
  std::size_t nodes_, elements_;
  std::vector<Integrals> integrals_;
  std::vector<bool> fixed_;
  std::vector<double> with_;

 public:
  Dense divergence;
  std::vector<double> mass, u, p;  // u: three a node

  Twin(const Box& box, const Flow& flow, double smagorinsky, double dt)
      : box_(box),
        flow_(flow),
        smagorinsky_(smagorinsky),
        dt_(dt),
        nodes_(static_cast<std::size_t>(box.number_of_nodes())),
        elements_(static_cast<std::size_t>(box.elements())),
        divergence(elements_, 3 * nodes_),
        mass(nodes_),
        u(3 * nodes_),
        p(elements_) {
    for (std::size_t e = 0; e < elements_; ++e) {
      integrals_.push_back(integrals_of(box, static_cast<std::int64_t>(e)));
      for (int a = 0; a < tenken::corners; ++a) {
        const auto corner = static_cast<std::size_t>(a);
        mass[node(e, a)] += integrals_[e].share[corner];
        for (std::size_t c = 0; c < 3; ++c) divergence(e, 3 * node(e, a) + c) += integrals_[e].slope[corner][c];
      }
    }
    for (std::size_t n = 0; n < nodes_; ++n) {
      const Cells at = place(n);
      fixed_.push_back(box.on_wall(at));
      const tenken::Point velocity = fixed_[n] ? flow.at_wall(box, at) : flow.velocity(box.place(at), 0);
      for (std::size_t c = 0; c < 3; ++c) u[3 * n + c] = velocity[c];
    }
    with_ = u;
  }

  std::size_t node(std::size_t e, int a) const {
    return static_cast<std::size_t>(
        box_.node_number(box_.node_of(tenken::coordinates<3>(static_cast<std::int64_t>(e), box_.cells), a)));
  }
  bool fixed(std::size_t n) const { return fixed_[n]; }

  // N = C(w) + K.
  Dense transport() const {
    Dense all(nodes_, nodes_);
    for (std::size_t e = 0; e < elements_; ++e) {
      const Integrals& of = integrals_[e];
      double mean[3] = {}, gradient[3][3] = {};
      for (int a = 0; a < tenken::corners; ++a) {
        for (std::size_t c = 0; c < 3; ++c) {
          const double v = with_[3 * node(e, a) + c];
          mean[c] += v / 8;
          for (std::size_t d = 0; d < 3; ++d)
            gradient[d][c] += of.slope[static_cast<std::size_t>(a)][d] * v / of.volume;
        }
      }
      double square = 0;
      for (std::size_t d = 0; d < 3; ++d) {
        for (std::size_t c = 0; c < 3; ++c) square += 2 * std::pow((gradient[d][c] + gradient[c][d]) / 2, 2);
      }
      const double eddy = std::pow(smagorinsky_, 2) * std::pow(of.volume, 2.0 / 3) * std::sqrt(square);
      for (int a = 0; a < tenken::corners; ++a) {
        for (int b = 0; b < tenken::corners; ++b) {
          double convection = 0;
          for (std::size_t c = 0; c < 3; ++c) {
            convection +=
                mean[c] * (of.slope[static_cast<std::size_t>(b)][c] - of.slope[static_cast<std::size_t>(a)][c]) / 16;
          }
          all(node(e, a), node(e, b)) +=
              convection + (flow_.viscosity + eddy) * of.stiffness[static_cast<std::size_t>(pair_of(a, b))];
        }
      }
    }
    return all;
  }

  void step() {
    const Dense n = transport();
    const std::vector<double> before = u, push = transposed_product(divergence, p);
    Dense a(nodes_, nodes_);
    for (std::size_t i = 0; i < nodes_; ++i) {
      for (std::size_t j = 0; j < nodes_; ++j) a(i, j) = fixed_[i] ? (i == j ? 1.0 : 0.0) : n(i, j) / 2;
      if (!fixed_[i]) a(i, i) += mass[i] / dt_;
    }
    for (std::size_t c = 0; c < 3; ++c) {
      std::vector<double> right(nodes_);
      for (std::size_t i = 0; i < nodes_; ++i) {
        if (fixed_[i]) continue;
        right[i] = push[3 * i + c] + (c == 0 ? flow_.force() * mass[i] : 0);
        for (std::size_t j = 0; j < nodes_; ++j) right[i] -= n(i, j) * before[3 * j + c];
      }
      const std::vector<double> change = solved(a, right);
      for (std::size_t i = 0; i < nodes_; ++i) u[3 * i + c] += change[i];
    }
    const std::vector<double> phi = pressure_of(product(divergence, u));
    const std::vector<double> back = by_mass(transposed_product(divergence, phi));
    for (std::size_t i = 0; i < u.size(); ++i) {
      u[i] += dt_ * back[i];
      with_[i] = 1.5 * u[i] - 0.5 * before[i];
    }
    for (std::size_t e = 0; e < elements_; ++e) p[e] += phi[e];
  }

 private:
  Cells place(std::size_t n) const { return tenken::coordinates<3>(static_cast<std::int64_t>(n), box_.nodes()); }
  std::vector<double> by_mass(std::vector<double> g) const {
    for (std::size_t i = 0; i < g.size(); ++i) g[i] = fixed_[i / 3] ? 0 : g[i] / mass[i / 3];
    return g;
  }
  // D M^-1 D^T phi = -d / dt by conjugate gradients: the operator has modes of 0 that no matrix of Gauss permits.
  std::vector<double> pressure_of(const std::vector<double>& d) const {
    std::vector<double> phi(elements_), r(elements_);
    for (std::size_t e = 0; e < elements_; ++e) r[e] = -d[e] / dt_;
    std::vector<double> s = r;
    const double start = dot(r, r);
    double rho = start;
    for (int i = 0; i < 2000 && rho > 1e-26 * start && rho > 1e-34; ++i) {
      const std::vector<double> q = product(divergence, by_mass(transposed_product(divergence, s)));
      const double alpha = rho / dot(s, q);
      for (std::size_t e = 0; e < elements_; ++e) phi[e] += alpha * s[e], r[e] -= alpha * q[e];
      const double next = dot(r, r);
      for (std::size_t e = 0; e < elements_; ++e) s[e] = r[e] + next / rho * s[e];
      rho = next;
    }
    return phi;
  }
};

}  // namespace les
