// Exchange and correlation in the local density approximation, spin-unpolarised.
//
// perdew_zunger: J. P. Perdew, A. Zunger, Phys. Rev. B 23, 5048 (1981), of D. M. Ceperley and B. J. Alder's electron
// gas. pade: S. Goedecker, M. Teter, J. Hutter, Phys. Rev. B 54, 1703 (1996), exchange included.
#pragma once

#include <cstdint>
#include <string>

#include "numerics/dft/system.hpp"

namespace tenken::dft {

struct ExchangeCorrelation {
  double energy;     // of one electron, Hartree
  double potential;  // d(density * energy) / d(density)
};

// density: electrons a cubic Bohr; zero and below count as none.
ExchangeCorrelation exchange_correlation(Functional functional, double density);

// potential[i] += of density[i]; returns the sum of density * energy (times the volume of a point: the energy).
double add_exchange_correlation(Functional functional, std::int64_t n, const double* density, double* potential);

// "perdew_zunger" or "pade"; refuses others.
Functional functional_from(const std::string& name);

}  // namespace tenken::dft
