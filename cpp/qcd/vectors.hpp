// Vector operations on fields. Sums are taken in a fixed order that does not depend on the number of threads.
#pragma once

#include <vector>

#include "qcd/kernel.hpp"

namespace tenken::qcd {

// y += a x
void axpy(double a, const Field& x, Field& y);

// y = x + a y
void xpay(const Field& x, double a, Field& y);

void copy(const Field& from, Field& to);

// out = gamma_5 in: upper and lower spins change places.
void gamma_5(const Field& in, Field& out);

// y += a x for a complex a
void axpy(const Complex<double>& a, const Field& x, Field& y);

// <x, y> = sum of conj(x) y over the local sites
Complex<double> complex_dot(const Field& x, const Field& y);

// Real part of <x, y> and squared norm over the local sites [first, last).
double dot(const Field& x, const Field& y, std::int64_t first, std::int64_t last);
double norm2(const Field& x, std::int64_t first, std::int64_t last);

inline double dot(const Field& x, const Field& y) { return dot(x, y, 0, static_cast<std::int64_t>(x.size())); }
inline double norm2(const Field& x) { return norm2(x, 0, static_cast<std::int64_t>(x.size())); }

}  // namespace tenken::qcd
