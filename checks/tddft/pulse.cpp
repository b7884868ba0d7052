#include "pulse.hpp"

#include <cmath>
#include <numbers>

namespace tenken::tddft {

namespace {

constexpr double pi = std::numbers::pi;

double sine_squared(const Pulse& p, double t) {
  if (t <= 0 || t >= p.length) return 0;
  const double envelope = std::sin(pi * t / p.length);
  return -p.amplitude / p.frequency * envelope * envelope * std::cos(p.frequency * (t - 0.5 * p.length));
}

// Integral from 0 to t of sin^2(pi t/T) sin(w t): by sin^2 = (1 - cos(2 pi t/T)) / 2 and sums of angles.
double integrated(double w, double length, double t) {
  const double g = 2 * pi / length;
  const auto part = [&](double v) { return v == 0 ? 0.0 : (1 - std::cos(v * t)) / v; };
  return 0.5 * part(w) - 0.25 * (part(w + g) + part(w - g));
}

}  // namespace

Shape shape_from(std::string_view name) {
  if (name == "asin2cos") return Shape::asin2cos;
  if (name == "esin2sin") return Shape::esin2sin;
  if (name == "two") return Shape::two;
  if (name == "step") return Shape::step;
  return Shape::none;
}

double Pulse::a(double t) const {
  switch (shape) {
    case Shape::asin2cos:
      return sine_squared(*this, t);
    case Shape::two:
      return sine_squared(*this, t) + sine_squared(*this, t - delay);
    case Shape::esin2sin: {
      if (t <= 0 || t >= length) return 0;
      const double x = t / length;
      return -amplitude *
             (integrated(frequency, length, t) - x * x * (3 - 2 * x) * integrated(frequency, length, length));
    }
    case Shape::step:
      return t >= 0 ? amplitude : 0;
    case Shape::none:
      break;
  }
  return 0;
}

double Pulse::end() const {
  return shape == Shape::two ? delay + length : shape == Shape::step || shape == Shape::none ? 0 : length;
}

double field_of_intensity(double watt_per_square_cm) { return 5.338e-9 * std::sqrt(watt_per_square_cm); }

}  // namespace tenken::tddft
