// The values of the arrays after whole sweeps (copy, scale, add, triad, in this order), in closed form.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace stream {

// STREAM's present factor (its older 3 overflows after 260 sweeps):
// values grow by 1.6 % a sweep, so a lost sweep shows.
constexpr double factor = 0.42;
constexpr double unit_roundoff = 0x1p-53;

// Element i of a before the first sweep.
constexpr double start(std::size_t i) { return 1.0 + static_cast<double>(i % 1024) / 1024.0; }

// The greater of the two, and NaN once there was one (std::max would drop it).
inline void raise(double& greatest, double value) {
  if (!std::isnan(greatest) && !(value <= greatest)) greatest = value;
}

// a after this many sweeps, for a start of 1.
inline double grown(int sweeps) {
  constexpr long double s = factor;
  return static_cast<double>(std::pow(2 * s + s * s, static_cast<long double>(sweeps)));
}

// Element i of each array over start(i).
struct Growth {
  double a, b, c;
};
inline Growth growth(int sweeps) {
  return {grown(sweeps), factor * grown(sweeps - 1), (1 + factor) * grown(sweeps - 1)};
}

// The sum of the n elements of a.
inline double sum_of_a(std::size_t n, int sweeps) {
  const auto blocks = static_cast<long double>(n / 1024);
  const auto rest = static_cast<long double>(n % 1024);
  const long double at_start = blocks * (1024 + 1023 / 2.0L) + rest + rest * (rest - 1) / 2048;
  return static_cast<double>(at_start * grown(sweeps));
}

// Of STREAM's own check, without what rounding adds to it.
constexpr double closed_form_error = 1e-13;

// What the three roundings of each sweep may add up to.
inline double rounding_of(int sweeps) { return 4 * unit_roundoff * sweeps; }

}  // namespace stream
