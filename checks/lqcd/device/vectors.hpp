// Vector operations of the solvers on a device: bodies of kernels, one call a pack where nothing else is stated.
#pragma once

#include "device/layout.hpp"

namespace tenken::lqcd::device {

// y += a x
template <class Number>
struct Axpy {
  using Real = Number;
  Real a;
  const Pack<Real>* x;
  Pack<Real>* y;

  TENKEN_HOST_DEVICE void operator()(std::int64_t i) const {
    const Pack<Real> add = x[i];
    Pack<Real> sum = y[i];
    for (int m = 0; m < Pack<Real>::numbers; ++m) sum.at[m] += a * add.at[m];
    y[i] = sum;
  }
};

// y = x + a y
template <class Number>
struct Xpay {
  using Real = Number;
  const Pack<Real>* x;
  Real a;
  Pack<Real>* y;

  TENKEN_HOST_DEVICE void operator()(std::int64_t i) const {
    const Pack<Real> add = x[i];
    Pack<Real> sum = y[i];
    for (int m = 0; m < Pack<Real>::numbers; ++m) sum.at[m] = add.at[m] + a * sum.at[m];
    y[i] = sum;
  }
};

// Sites of one field in another precision: to = from, or to += from. One call a site of n.
template <class From, class To>
struct Convert {
  const Pack<From>* from;
  Pack<To>* to;
  std::int64_t n;
  bool add;

  TENKEN_HOST_DEVICE void operator()(std::int64_t i) const {
    const BasicSpinor<From> given = load_spinor(from, n, i);
    BasicSpinor<To> sum{};
    if (add) sum = load_spinor(to, n, i);
    for (int s = 0; s < spins; ++s) {
      for (int c = 0; c < colours; ++c) {
        sum.at[s][c].re += static_cast<To>(given.at[s][c].re);
        sum.at[s][c].im += static_cast<To>(given.at[s][c].im);
      }
    }
    store_spinor(to, sum, n, i);
  }
};

// Two scalar products at once, x y and u v, the second only where u is not null. They are summed in double precision:
// by threads in the order of their packs, then by blocks (gpu/reduce.hpp). So the number of packs alone determines the
// bits. A thread adds the packs first, first + stride, ...
struct Sums {
  double first, second;
};

template <class Number>
struct Products {
  using Real = Number;
  const Pack<Real>* x;
  const Pack<Real>* y;
  const Pack<Real>* u;
  const Pack<Real>* v;
  std::int64_t packs;

  TENKEN_HOST_DEVICE Sums operator()(std::int64_t first, std::int64_t stride) const {
    Sums sums{0, 0};
    for (std::int64_t i = first; i < packs; i += stride) {
      sums.first += product(x[i], y[i]);
      if (u != nullptr) sums.second += product(u[i], v[i]);
    }
    return sums;
  }

 private:
  TENKEN_HOST_DEVICE static double product(const Pack<Real>& a, const Pack<Real>& b) {
    double sum = 0;
    for (int m = 0; m < Pack<Real>::numbers; ++m) sum += static_cast<double>(a.at[m]) * static_cast<double>(b.at[m]);
    return sum;
  }
};

}  // namespace tenken::lqcd::device
