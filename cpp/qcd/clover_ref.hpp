// The reference of the clover term: explicit products of gamma matrices, leaves step by step, full 12x12 matrices.
// Never made faster.
#pragma once

#include <array>
#include <complex>

#include "qcd/ref.hpp"

namespace tenken::qcd {

constexpr int site_size = spins * colours;  // index: 3 x spin + colour
using SiteMatrix = std::array<std::array<std::complex<double>, site_size>, site_size>;

// T(x) = 1 - kappa c sum_{mu<nu} gamma_mu gamma_nu F_mu,nu(x) of clover.hpp, on a periodic lattice. `link` is asked for
// sites inside it.
SiteMatrix clover_reference(const Index4& lattice, const Index4& x, const LinkAt& link, double kappa, double csw);

// -sum_{mu<nu} tr F F at x, from the four plaquettes of each plane as loops of links.
double clover_energy_reference(const Index4& lattice, const Index4& x, const LinkAt& link);

// By Gauss-Jordan elimination with pivoting over rows.
struct EliminatedMatrix {
  SiteMatrix inverse;
  double log_det;  // log |det|
};
EliminatedMatrix eliminated(const SiteMatrix& matrix);

}  // namespace tenken::qcd
