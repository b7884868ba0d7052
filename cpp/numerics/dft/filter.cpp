#include "numerics/dft/filter.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tenken::dft {

namespace {

constexpr int steps = 400;
constexpr double flat_to = 1.2, fall = 0.4;  // in units of pi / h

// Spherical Bessel function of order 0 or 1.
double bessel(int l, double x) {
  if (l == 0) return x < 1e-6 ? 1 : std::sin(x) / x;
  return x < 1e-3 ? x / 3 : std::sin(x) / (x * x) - std::cos(x) / x;
}

}  // namespace

// Both sums end where Gaussians have fallen below rounding, so that they are exact but for it.
FilteredChannel::FilteredChannel(const Channel& channel, double spacing)
    : l_(channel.l), step_(8 / channel.radius / steps) {
  const double dr = 10 * channel.radius / steps;
  for (int i = 1; i <= steps; ++i) {
    const double g = i * step_;
    double transform = 0;
    for (int j = 1; j <= steps; ++j) transform += j * dr * j * dr * channel.at(j * dr) * bessel(l_, g * j * dr) * dr;
    const double beyond = std::max(0.0, g * spacing / std::numbers::pi - flat_to) / fall;
    terms_.push_back(2 / std::numbers::pi * g * g * transform * std::exp(-beyond * beyond) * step_);
  }
}

double FilteredChannel::at(double r) const {
  double sum = 0;
  for (std::size_t i = 0; i < terms_.size(); ++i) sum += terms_[i] * bessel(l_, static_cast<double>(i + 1) * step_ * r);
  return sum;
}

}  // namespace tenken::dft
