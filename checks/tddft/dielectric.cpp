#include "dielectric.hpp"

#include <cmath>
#include <numbers>

namespace tenken::tddft {

double Response::weighted(std::size_t i) const {
  const double x = static_cast<double>(i) / static_cast<double>(current.size() - 1);
  return (i == 0 ? 0.5 : 1.0) * (1 - 3 * x * x + 2 * x * x * x) * current[i] * dt;  // at the end the window is 0
}

std::complex<double> Response::conductivity(double w) const {
  std::complex<double> sum = 0;
  for (std::size_t i = 0; i < current.size(); ++i) {
    sum += weighted(i) * std::polar(1.0, w * dt * static_cast<double>(i));
  }
  return sum / a;
}

std::complex<double> Response::epsilon(double w) const {
  return 1.0 + std::complex<double>(0, 4 * std::numbers::pi / w) * conductivity(w);
}

double Response::sum_rule(double cut) const {
  double sum = weighted(0) * cut;
  for (std::size_t i = 1; i < current.size(); ++i) {
    const double t = dt * static_cast<double>(i);
    sum += weighted(i) * std::sin(cut * t) / t;
  }
  return 2 / std::numbers::pi * sum / current[0];
}

}  // namespace tenken::tddft
