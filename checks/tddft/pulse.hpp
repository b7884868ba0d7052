// The vector potential of light, A/c in atomic units, along one axis; H has K = k + A. Fields in atomic units:
// E0 = 5.338e-9 sqrt(I / (W/cm^2)).
#pragma once

#include <string_view>

namespace tenken::tddft {

enum class Shape {
  asin2cos,  // A = -(E0/w) sin^2(pi t/T) cos(w (t - T/2)), 0 < t < T
  esin2sin,  // E = E0 sin^2(pi t/T) sin(w t); A = -integral of E, less a cubic ramp that makes A(T) = 0
  two,       // asin2cos and the same again after the delay
  step,      // A from t = 0 on: the response to an impulse
  none
};
Shape shape_from(std::string_view name);

struct Pulse {
  Shape shape = Shape::none;
  double amplitude = 0;  // E0; of a step: A
  double frequency = 0;  // w
  double length = 0;     // T
  double delay = 0;      // of the second of two

  double a(double t) const;
  // Time after which A is constant.
  double end() const;
};

double field_of_intensity(double watt_per_square_cm);
inline constexpr double femtosecond = 41.341373;  // in atomic units of time
inline constexpr double electron_volt = 1 / 27.211386;

}  // namespace tenken::tddft
