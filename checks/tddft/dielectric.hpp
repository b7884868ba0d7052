// The dielectric function from the current after a step of the vector potential (pulse `step`): with E = -dA/dt an
// impulse, the conductivity is the transform of J / A, J = dE/dA / volume as Electrons states it,
//
//   sigma(w) = 1/A integral_0^T J(t) W(t/T) exp(i w t) dt,  epsilon(w) = 1 + 4 pi i sigma(w) / w,
//
// W(x) = 1 - 3 x^2 + 2 x^3 (K. Yabana, G. F. Bertsch, Phys. Rev. B 54, 4484 (1996)). Atomic units; integrals by the
// trapezoidal rule.
#pragma once

#include <complex>
#include <vector>

namespace tenken::tddft {

// Cut-off of the sum rule that runs state, Hartree: beyond what a grid of usual spacing can be excited to.
inline constexpr double sum_rule_cut = 25;

struct Response {
  std::vector<double> current;  // of every step, from t = 0 on
  double a = 0;                 // height of the step of A
  double dt = 0;

  std::complex<double> conductivity(double w) const;
  std::complex<double> epsilon(double w) const;
  // 2/pi integral_0^cut Re sigma dw over J(0)/A: 1 when all of the spectrum lies below the cut-off (the sum rule of
  // Thomas, Reiche and Kuhn, with what the non-local potential adds).
  double sum_rule(double cut) const;

 private:
  double weighted(std::size_t i) const;  // current with window and weight of the rule
};

}  // namespace tenken::tddft
