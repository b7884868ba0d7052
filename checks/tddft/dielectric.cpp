#include "dielectric.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tenken::tddft {

double sum_rule_cut(double dt) { return std::min(25.0, 0.5 * std::numbers::pi / dt); }

double resolved_energy(double duration) { return 2 * std::numbers::pi / duration; }

double Response::weight(std::size_t i) const {
  const double x = static_cast<double>(i) / static_cast<double>(current.size() - 1);
  return (i == 0 ? 0.5 : 1.0) * (1 - 3 * x * x + 2 * x * x * x) * dt;  // at the end the window is 0
}

double Response::mean() const {
  double sum = 0, weights = 0;
  for (std::size_t i = 0; i < current.size(); ++i) {
    sum += weight(i) * current[i];
    weights += weight(i);
  }
  return sum / weights;
}

double Response::constant_part() const { return mean() / current[0]; }

std::complex<double> Response::conductivity(double w) const {
  std::complex<double> sum = 0;
  const double constant = mean();
  for (std::size_t i = 0; i < current.size(); ++i) {
    sum += weight(i) * (current[i] - constant) * std::polar(1.0, w * dt * static_cast<double>(i));
  }
  return sum / a;
}

std::complex<double> Response::epsilon(double w) const {
  return 1.0 + std::complex<double>(0, 4 * std::numbers::pi / w) * conductivity(w);
}

double Response::epsilon_at_zero() const {
  double sum = 0;
  const double constant = mean();
  for (std::size_t i = 0; i < current.size(); ++i) {
    sum += weight(i) * (current[i] - constant) * dt * static_cast<double>(i);
  }
  return 1 - 4 * std::numbers::pi / a * sum;
}

double Response::sum_rule(double cut) const {
  double sum = weight(0) * current[0] * cut;
  for (std::size_t i = 1; i < current.size(); ++i) {
    const double t = dt * static_cast<double>(i);
    sum += weight(i) * current[i] * std::sin(cut * t) / t;
  }
  return 2 / std::numbers::pi * sum / current[0];
}

}  // namespace tenken::tddft
