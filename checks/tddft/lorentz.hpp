// A medium for tests, in place of electrons: one oscillator of Lorentz, epsilon(w) = 1 + plasma^2 / (w0^2 - w^2 - i
// damping w), and what a film of it does to light.
#pragma once

#include <complex>
#include <numbers>

#include "maxwell.hpp"

namespace tenken::tddft {

struct Lorentz {
  double plasma = 0.4, resonance = 0.25, damping = 0.03;  // Hartree
  double polarisation = 0, velocity = 0;

  std::complex<double> epsilon(double w) const {
    return 1.0 + plasma * plasma / std::complex<double>(resonance * resonance - w * w, -damping * w);
  }
  // One step by the trapezoidal rule, in which a goes from `now` to `next`. J at its end.
  double step(double now, double next, double dt) {
    const double force = plasma * plasma / (4 * std::numbers::pi) * (now - next) / dt;
    const double mean = (2 * velocity + dt * (force - resonance * resonance * polarisation)) /
                        (2 + damping * dt + 0.5 * resonance * resonance * dt * dt);
    polarisation += dt * mean;
    velocity = 2 * mean - velocity;
    return -velocity;
  }
};

// Amplitudes behind a film in vacuum, at right angles (Fresnel; M. Born, E. Wolf, Principles of Optics, 1.6.4).
struct Fresnel {
  std::complex<double> reflected, transmitted;
};
inline Fresnel fresnel(std::complex<double> epsilon, double w, double thickness) {
  const std::complex<double> n = std::sqrt(epsilon), face = (1.0 - n) / (1.0 + n);
  const std::complex<double> once = std::exp(std::complex<double>(0, w * thickness / light_speed) * n);
  const std::complex<double> whole = 1.0 - face * face * once * once;
  return {face * (1.0 - once * once) / whole, (1.0 - face * face) * once / whole};
}

}  // namespace tenken::tddft
