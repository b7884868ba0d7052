// Before a run: norm that the Taylor expansion of exp(-i H dt) to 4th order loses, and the steps of time that pass the
// proof of the norm. |sum over n to 4 of (-i x)^n / n!|^2 = 1 - x^6 / 72 + x^8 / 576, so that one expansion over dt
// takes dt^6 |H^3 u|^2 / 72 off the norm of u. Atomic units.
#pragma once

#include "electrons.hpp"
#include "measure/check.hpp"

namespace tenken::tddft {

// Norm that may be lost in a step, as the proof `norm` has it.
inline constexpr double norm_of_a_step = 1e-9;

// Greatest |H^3 u|^2 of the occupied bands of that k of ground.k_range whose |k + a| is greatest, Hartree^6, in the
// vector potential a.
double sixth_moment(const dft::System& system, const dft::GroundState& ground, const dft::Vector& a);

// Norm lost in a step, and the longest dt that loses norm_of_a_step.
double norm_loss(double sixth_moment, double dt, Propagator propagator);
double longest_step(double sixth_moment, Propagator propagator);

// Mean of the moment over the A of the pulse in a run of so many steps. The orbitals stay those of the ground state:
// where electrons follow A slowly, their moment is smaller.
double mean_moment(const dft::System& system, const dft::GroundState& ground, const Settings& settings, int steps);

// Collective. Refuses a dt whose loss, twice that of mean_moment(), would break the proof of the norm.
void require_norm(const Check& check, const dft::System& system, const dft::GroundState& ground,
                  const Settings& settings, int steps);

}  // namespace tenken::tddft
