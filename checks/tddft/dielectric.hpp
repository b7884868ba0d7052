// The dielectric function from the current after a step of the vector potential (pulse `step`): with E = -dA/dt an
// impulse, the conductivity is the transform of J / A, J = dE/dA / volume as Electrons states it,
//
//   sigma(w) = 1/A integral_0^T J(t) W(t/T) exp(i w t) dt,  epsilon(w) = 1 + 4 pi i sigma_0(w) / w,
//
// where sigma_0 is sigma of J less its mean under the window, so that sigma_0(0) = 0: an insulator carries no constant
// current, but few k-points do, and 4 pi i sigma(0) / w would hide epsilon at low energies.
// W(x) = 1 - 3 x^2 + 2 x^3 (K. Yabana, G. F. Bertsch, Phys. Rev. B 54, 4484 (1996)). Atomic units; integrals by the
// trapezoidal rule.
#pragma once

#include <complex>
#include <vector>

namespace tenken::tddft {

// Cut-off of the sum rule, Hartree: beyond what a grid of usual spacing can be excited to, and at most half of pi / dt,
// where samples dt apart repeat the spectrum.
double sum_rule_cut(double dt);
// Least energy that a run of this length resolves, Hartree.
double resolved_energy(double duration);

struct Response {
  std::vector<double> current;  // of every step, from t = 0 on
  double a = 0;                 // height of the step of A
  double dt = 0;

  std::complex<double> conductivity(double w) const;  // sigma_0
  std::complex<double> epsilon(double w) const;
  // Limit of epsilon at w = 0: 1 - 4 pi / A integral_0^T t J(t) W(t/T) dt, J less its mean.
  double epsilon_at_zero() const;
  // Mean current under the window over J(0): sigma(0) over that of free electrons; 0 of an insulator.
  double constant_part() const;
  // 2/pi integral_0^cut Re sigma dw over J(0)/A: 1 when all of the spectrum lies below the cut-off (the sum rule of
  // Thomas, Reiche and Kuhn, with what the non-local potential adds).
  double sum_rule(double cut) const;

 private:
  double weight(std::size_t i) const;  // of the window and of the rule
  double mean() const;
};

}  // namespace tenken::tddft
