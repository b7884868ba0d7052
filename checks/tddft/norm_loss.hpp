// Before a run: norm and energy that the Taylor expansion of exp(-i H dt) to 4th order loses, and the steps of time
// that pass the proofs of norm and work. |sum over n to 4 of (-i x)^n / n!|^2 = 1 - x^6 / 72 + x^8 / 576, so that one
// expansion over dt takes dt^6 |H^3 u|^2 / 72 off the norm of u. Atomic units.
#pragma once

#include "electrons.hpp"
#include "measure/check.hpp"

namespace tenken::tddft {

// Norm that may be lost in a step, as the proof `norm` has it.
inline constexpr double norm_of_a_step = 1e-9;

// Of the occupied bands of that k of ground.k_range whose |k + a| is greatest, in the vector potential a.
struct Moments {
  double sixth = 0;    // greatest |H^3 u|^2 of a band, Hartree^6
  double seventh = 0;  // |sum over electrons of <u|H^7|u>|, Hartree^7: dt^6 / 72 of it is the energy that is lost
};
Moments moments_of(const dft::System& system, const dft::GroundState& ground, const dft::Vector& a);

// What a step takes off the norm (sixth moment) or the energy of the cell (seventh), and the longest dt that takes off
// `allowed`.
double loss_of_a_step(double moment, double dt, Propagator propagator);
double longest_step(double moment, double allowed, Propagator propagator);

// Mean of the moments over the A of the pulse in a run of so many steps. The orbitals stay those of the ground state:
// where electrons follow A slowly, their moments are smaller.
Moments mean_moments(const dft::System& system, const dft::GroundState& ground, const Settings& settings, int steps);

// Integral of |J dA| of free electrons, a step of A at the start included, Hartree: bound electrons follow light less.
double most_work(const dft::System& system, const Settings& settings, int steps);

// Collective. Refuses a dt whose loss of norm, twice that of the mean moments, would break the proof of the norm, or
// whose loss of energy over all steps would break the proof of the work even if electrons were free.
void require_proofs(const Check& check, const dft::System& system, const dft::GroundState& ground,
                    const Settings& settings, int steps);

}  // namespace tenken::tddft
