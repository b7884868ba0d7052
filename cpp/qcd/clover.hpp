// The clover term of Sheikholeslami and Wohlert (1985): with it the operator is
//
//   D psi(x) = psi(x) - kappa hops - kappa c sum_{mu<nu} gamma_mu gamma_nu F_mu,nu(x) psi(x),
//   F_mu,nu(x) = (Q_mu,nu(x) - Q_mu,nu(x)^dagger) / 8,   Q = the sum of the four leaves around x.
//
// A leaf is a plaquette that starts and ends at x; the four go round in the sense from mu to nu. F is anti-Hermitian
// and not made traceless. Other programs write i sigma_mu,nu with sigma = (i/2) [gamma_mu, gamma_nu] for
// -gamma_mu gamma_nu, i F for F, or have 1 / (2 kappa) on the diagonal of D.
//
// In the Dirac representation gamma_j gamma_k = i epsilon_jkl sigma_l on upper and lower spins alike, and gamma_k
// gamma_t = i sigma_k gamma_5. The term therefore is two Hermitian 6x6 blocks, of (upper + lower) and of
// (upper - lower) spins, gamma_5 = +1 and -1. Each is packed in 36 numbers.
#pragma once

#include <optional>
#include <string>

#include "qcd/gauge/extended.hpp"

namespace tenken::qcd {

constexpr int block_size = 6;                  // index: 3 x spin of the block + colour
constexpr int below_diagonal = 15;             // complex numbers
constexpr std::int64_t clover_flop = 2 * 252;  // two Hermitian 6x6 products; the change of basis is not counted

// Element (row, column) below the diagonal.
constexpr int packed(int row, int column) { return row * (row - 1) / 2 + column; }

template <class Real>
struct BasicCloverBlock {
  Real diagonal[block_size];
  Complex<Real> below[below_diagonal];
};

// Blocks of gamma_5 = +1 and -1.
template <class Real>
struct BasicCloverSite {
  BasicCloverBlock<Real> block[2];
};
using CloverBlock = BasicCloverBlock<double>;
using CloverSite = BasicCloverSite<double>;
using CloverField = Buffer<CloverSite>;  // by local site
static_assert(sizeof(CloverSite) == 72 * sizeof(double));

// out = B in, six complex numbers each: 252 flop, of the 6 real and 30 complex elements.
template <class Real>
TENKEN_HOST_DEVICE void block_times(const BasicCloverBlock<Real>& b, const Complex<Real>* in, Complex<Real>* out) {
  for (int i = 0; i < block_size; ++i) {
    Complex<Real> sum = b.diagonal[i] * in[i];
    for (int j = 0; j < i; ++j) sum = plus_product(sum, b.below[packed(i, j)], in[j]);
    for (int j = i + 1; j < block_size; ++j) sum = plus_conj_product(sum, b.below[packed(j, i)], in[j]);
    out[i] = sum;
  }
}

// The product of a site's blocks with a spinor.
template <class Real>
TENKEN_HOST_DEVICE BasicSpinor<Real> clover_times(const BasicCloverSite<Real>& site, const BasicSpinor<Real>& psi) {
  Complex<Real> in[2][block_size], out[2][block_size];
  for (int s = 0; s < 2; ++s) {
    for (int c = 0; c < colours; ++c) {
      in[0][colours * s + c] = Real(0.5) * (psi.at[s][c] + psi.at[s + 2][c]);
      in[1][colours * s + c] = Real(0.5) * (psi.at[s][c] - psi.at[s + 2][c]);
    }
  }
  for (int chirality = 0; chirality < 2; ++chirality) block_times(site.block[chirality], in[chirality], out[chirality]);
  BasicSpinor<Real> sum;
  for (int s = 0; s < 2; ++s) {
    for (int c = 0; c < colours; ++c) {
      sum.at[s][c] = out[0][colours * s + c] + out[1][colours * s + c];
      sum.at[s + 2][c] = out[0][colours * s + c] - out[1][colours * s + c];
    }
  }
  return sum;
}

// Faults of tests and drills: the sign of F_xy, and a factor of all of the term.
struct CloverFaults {
  double sign_xy = 1;
  double factor = 1;
};

// F_mu,nu at a site in coordinates of the block. A leaf has each sign of a boundary twice: F has the same bits with
// either sign.
Link field_strength(const ExtendedLinks& u, const Index4& x, int mu, int nu);

// The term without the 1 of D, T - 1, at each site of the block; `c` is csw. No messages.
CloverField make_clover(const ExtendedLinks& u, double kappa, double csw, const CloverFaults& faults = {});

// out = out + gamma_5 (T - 1) in at the listed sites: what makes H = gamma_5 D of the hops that of the clover operator.
void add_clover(const CloverField& term, const std::vector<std::int32_t>& sites, Field& out, const Field& in);

// Inverse of 1 + `block` by LDL^H without pivoting, and log |det|. Empty where a pivot is below 1e-12 of the largest
// row sum of |elements|. `lost_pivot` (the fault pivot_zero): that pivot's inverse is taken as 0; -1 for none.
struct InvertedBlock {
  CloverBlock inverse;
  double log_det;
};
std::optional<InvertedBlock> inverted(const CloverBlock& block, int lost_pivot = -1);

struct CloverInverse {
  CloverField field;   // T^-1
  double log_det = 0;  // sum over sites of log |det T|, of this rank
};

// T^-1 of T = 1 + term. Throws UserError naming the site and what to change where a block cannot be inverted.
// `lost_pivot`: of the last site of the block.
CloverInverse invert_clover(const Geometry& geometry, const CloverField& term, int lost_pivot = -1);

// Largest |element| of T^-1 T - 1 on this rank.
double inverse_error(const CloverField& term, const CloverField& inverse);

// -sum_{x, mu<nu} tr F F of this rank from the packed term itself: tr (T - 1)^2 = -4 (kappa c)^2 sum_{mu<nu} tr F F,
// since other products of two planes have no trace.
double clover_energy(const CloverField& term, double kappa, double csw);

}  // namespace tenken::qcd
