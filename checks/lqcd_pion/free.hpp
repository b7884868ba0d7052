// The pion correlator without a gauge field, exactly: a sum over momenta of the free Wilson propagator.
//
//   S(p) = (A - 2 i kappa gamma.sin p) / (A^2 + 4 kappa^2 sum sin^2 p),   A = 1 - 2 kappa sum cos p,
//   C(t) = 12 / (Lx Ly Lz) sum over spatial p of |a(t)|^2 + sum_mu |b_mu(t)|^2,
//
// where a + gamma.b is the Fourier transform of S(p) in p_t, p_mu = 2 pi n / L_mu, n + 1/2 where psi is antiperiodic.
#pragma once

#include <vector>

#include "qcd/boundary.hpp"

namespace tenken::lqcd_pion {

using namespace qcd;

struct FreePion {
  std::vector<double> correlator;
  double inverse_norm;  // of D^-1: the largest |S(p)|
};

FreePion free_pion(const Index4& lattice, const Signs& boundary, double kappa);

// Largest over t of |C - C_free| / (2 sqrt(12 C_free) |D^-1|): since C(t) is the square of a norm over 12 solutions,
// residuals |b - D x| = r |b| make this at most r, but for rounding.
double free_pion_error(const std::vector<double>& correlator, const FreePion& expected);

}  // namespace tenken::lqcd_pion
