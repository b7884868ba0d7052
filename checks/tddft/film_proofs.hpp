// Reflectance and transmittance of a film, and proofs on the light that they come from. Atomic units; no MPI.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

#include "maxwell.hpp"

namespace tenken::tddft {

// Of every step: A at both ends of the grid, and A and J of every macro point, [point * steps + step].
struct LightSeries {
  std::vector<double> incident, reflected, transmitted;
};
struct FilmSeries {
  LightSeries light;
  std::vector<double> fields, currents;
};

// Amplitudes behind and before a film over that of the incident light, at one photon energy.
struct Amplitudes {
  double energy = 0;  // eV
  std::complex<double> reflected, transmitted;
  double reflectance() const { return std::norm(reflected); }
  double transmittance() const { return std::norm(transmitted); }
};
// Every 0.1 eV up to 30 eV where the incident light has 5 % of its greatest energy (w^2 |A(w)|^2) at least.
std::vector<Amplitudes> amplitudes(const LightSeries& light, double dt);

// First step at which the grid can be dark: the pulse has ended and has crossed the grid at c.
std::int64_t first_dark_step(const LightGrid& grid, const Pulse& incident);
// Fewest steps of a run with a reflectance: two periods of a photon are dark.
std::int64_t reflectance_steps(const LightGrid& grid, const Pulse& incident);

struct FilmErrors {
  double surplus = 0;  // greatest reflectance + transmittance - 1; a film gives no energy
  // Greatest |A| and |J| of any macro point in the last period of a photon, over the greatest of the run.
  double field = 0, current = 0;
  // Root of the mean square of all macro points' A: second half of the dark steps over the first half. A film that
  // grows without light is above 1. Less than half of `limit` times the greatest |A| counts as that.
  double growth = 0;
  // What the light still has to come: A itself, and a tenth of the current, which radiates long and weakly.
  double left() const { return field > 0.1 * current || std::isnan(field) ? field : 0.1 * current; }
  // Steps after which left() reaches `limit` at the rate of decay of the dark steps; 0: there is no decay.
  std::int64_t steps_needed = 0;
};
// Needs reflectance_steps() at least. limit: of left().
FilmErrors film_errors(const FilmSeries& series, const LightGrid& grid, const Pulse& incident, double limit);

// Of a film that is vacuum: greatest difference of the amplitudes from 0 and from exp(i w (points - 1) spacing / c).
double vacuum_error(const LightSeries& light, const LightGrid& grid);

}  // namespace tenken::tddft
