// Colour and spin algebra of one site, for any scalar type (double; a counting one in the tests; vectors; numbers of a
// device).
//
// Conventions (README.md): Dirac representation, gamma_k = [[0, -i sigma_k], [i sigma_k, 0]] for k = x, y, z,
// gamma_t = diag(1, 1, -1, -1), gamma_5 = [[0, 1], [1, 0]].
#pragma once

#include "base/host_device.hpp"

namespace tenken::qcd {

template <class Real>
struct Complex {
  Real re, im;  // not set by default: compilers do not see through arrays of zeros

  TENKEN_HOST_DEVICE friend Complex operator+(const Complex& a, const Complex& b) { return {a.re + b.re, a.im + b.im}; }
  TENKEN_HOST_DEVICE friend Complex operator-(const Complex& a, const Complex& b) { return {a.re - b.re, a.im - b.im}; }
  TENKEN_HOST_DEVICE friend Complex operator*(const Complex& a, const Complex& b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  TENKEN_HOST_DEVICE friend Complex operator*(const Real& a, const Complex& b) { return {a * b.re, a * b.im}; }
};

template <class Real>
TENKEN_HOST_DEVICE Complex<Real> conj(const Complex<Real>& a) {
  return {a.re, -a.im};
}

// sum + a b and sum + conj(a) b, in the order that becomes four fused multiply-adds.
template <class Real>
TENKEN_HOST_DEVICE Complex<Real> plus_product(const Complex<Real>& sum, const Complex<Real>& a,
                                              const Complex<Real>& b) {
  return {sum.re + a.re * b.re - a.im * b.im, sum.im + a.re * b.im + a.im * b.re};
}
template <class Real>
TENKEN_HOST_DEVICE Complex<Real> plus_conj_product(const Complex<Real>& sum, const Complex<Real>& a,
                                                   const Complex<Real>& b) {
  return {sum.re + a.re * b.re + a.im * b.im, sum.im + a.re * b.im - a.im * b.re};
}

constexpr int colours = 3;
constexpr int spins = 4;
constexpr int directions = 4;

template <class Real>
struct BasicLink {
  Complex<Real> at[colours][colours];
};

template <class Real>
struct BasicSpinor {
  Complex<Real> at[spins][colours];
};
template <class Real>
TENKEN_HOST_DEVICE const Complex<Real>& component(const BasicSpinor<Real>& psi, int spin, int colour) {
  return psi.at[spin][colour];
}

// The two spin components that survive a projector 1 -+ gamma_mu.
template <class Real>
struct BasicHalf {
  Complex<Real> at[2][colours];
};

using Link = BasicLink<double>;
using Spinor = BasicSpinor<double>;
using Half = BasicHalf<double>;

// The two ways of a hop: forward fetches psi(x + mu) with 1 - gamma_mu, backward psi(x - mu) with 1 + gamma_mu.
enum class Way { forward = 0, backward = 1 };

template <class Real>
TENKEN_HOST_DEVICE BasicHalf<Real> operator*(const BasicLink<Real>& u, const BasicHalf<Real>& h) {
  BasicHalf<Real> out;
  for (int s = 0; s < 2; ++s) {
    for (int a = 0; a < colours; ++a) {
      Complex<Real> sum = u.at[a][0] * h.at[s][0];
      sum = plus_product(sum, u.at[a][1], h.at[s][1]);
      out.at[s][a] = plus_product(sum, u.at[a][2], h.at[s][2]);
    }
  }
  return out;
}

// U^dagger h
template <class Real>
TENKEN_HOST_DEVICE BasicHalf<Real> adjoint_times(const BasicLink<Real>& u, const BasicHalf<Real>& h) {
  BasicHalf<Real> out;
  for (int s = 0; s < 2; ++s) {
    for (int a = 0; a < colours; ++a) {
      Complex<Real> sum = conj(u.at[0][a]) * h.at[s][0];
      sum = plus_conj_product(sum, u.at[1][a], h.at[s][1]);
      out.at[s][a] = plus_conj_product(sum, u.at[2][a], h.at[s][2]);
    }
  }
  return out;
}

template <class Real>
TENKEN_HOST_DEVICE Complex<Real> times_i(const Complex<Real>& a) {
  return {-a.im, a.re};
}
template <class Real>
TENKEN_HOST_DEVICE Complex<Real> times_minus_i(const Complex<Real>& a) {
  return {a.im, -a.re};
}

// Component `spin` of i sigma_mu applied to a pair of spin components, mu = x, y, z.
template <int mu, class Real>
TENKEN_HOST_DEVICE Complex<Real> i_sigma(const Complex<Real>& first, const Complex<Real>& second, int spin) {
  static_assert(mu < 3);
  const Complex<Real>& other = spin == 0 ? second : first;
  if constexpr (mu == 0) return times_i(other);
  // Number by number: compilers copy a whole pair of vectors in pieces, which stalls the next load of it.
  if constexpr (mu == 1) return {spin == 0 ? other.re : -other.re, spin == 0 ? other.im : -other.im};
  return spin == 0 ? times_i(first) : times_minus_i(second);
}

// (1 -+ gamma_mu) psi up to what `accumulate` restores. For mu = x, y, z it is determined by its upper components,
// upper +- i sigma_mu lower; for t the projector keeps the lower (forward) or upper (backward) ones and doubles them.
template <int mu, Way way, template <class> class AnySpinor, class Real>
TENKEN_HOST_DEVICE Complex<Real> project(const AnySpinor<Real>& psi, int spin, int colour) {
  if constexpr (mu == 3) {
    const Complex<Real>& kept = component(psi, way == Way::forward ? spin + 2 : spin, colour);
    return {kept.re, kept.im};
  }
  const Complex<Real> lower = i_sigma<mu % 3>(component(psi, 2, colour), component(psi, 3, colour), spin);
  const Complex<Real>& upper = component(psi, spin, colour);
  return way == Way::forward ? upper + lower : upper - lower;
}
template <int mu, Way way, template <class> class AnySpinor, class Real>
TENKEN_HOST_DEVICE BasicHalf<Real> project(const AnySpinor<Real>& psi) {
  BasicHalf<Real> out;
  for (int s = 0; s < 2; ++s) {
    for (int c = 0; c < colours; ++c) out.at[s][c] = project<mu, way>(psi, s, c);
  }
  return out;
}

// Adds the four components of a projected and colour-rotated half-spinor to `sum`.
template <int mu, Way way, class Real>
TENKEN_HOST_DEVICE void accumulate(BasicSpinor<Real>& sum, const BasicHalf<Real>& h) {
  for (int s = 0; s < 2; ++s) {
    for (int c = 0; c < colours; ++c) {
      if constexpr (mu == 3) {
        Complex<Real>& kept = sum.at[way == Way::forward ? s + 2 : s][c];
        kept = kept + (h.at[s][c] + h.at[s][c]);
      } else {
        sum.at[s][c] = sum.at[s][c] + h.at[s][c];
        Complex<Real>& lower = sum.at[s + 2][c];
        const Complex<Real> turned = i_sigma<mu>(h.at[0][c], h.at[1][c], s);
        lower = way == Way::forward ? lower - turned : lower + turned;
      }
    }
  }
}

// gamma_5 (psi - kappa hops)
template <class Real>
TENKEN_HOST_DEVICE BasicSpinor<Real> finish(const BasicSpinor<Real>& psi, const BasicSpinor<Real>& hops,
                                            const Real& kappa) {
  BasicSpinor<Real> out;
  for (int s = 0; s < spins; ++s) {
    for (int c = 0; c < colours; ++c) out.at[(s + 2) % spins][c] = psi.at[s][c] - kappa * hops.at[s][c];
  }
  return out;
}

}  // namespace tenken::qcd
