#include "qcd/ref.hpp"

#include <complex>

namespace tenken::qcd {

namespace {

using C = std::complex<double>;
using Gamma = C[spins][spins];

constexpr C i{0, 1};
constexpr Gamma gamma[directions] = {
    {{0, 0, 0, -i}, {0, 0, -i, 0}, {0, i, 0, 0}, {i, 0, 0, 0}},
    {{0, 0, 0, -1}, {0, 0, 1, 0}, {0, 1, 0, 0}, {-1, 0, 0, 0}},
    {{0, 0, -i, 0}, {0, 0, 0, i}, {i, 0, 0, 0}, {0, -i, 0, 0}},
    {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, -1, 0}, {0, 0, 0, -1}},
};
constexpr Gamma gamma_5 = {{0, 0, 1, 0}, {0, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, 0}};

C value(const Complex<double>& a) { return {a.re, a.im}; }

Index4 moved(const Index4& lattice, Index4 x, int mu, int step) {
  x[mu] = (x[mu] + step + lattice[mu]) % lattice[mu];
  return x;
}

}  // namespace

Spinor reference(const Index4& lattice, const Index4& x, const LinkAt& link, const SpinorAt& psi, double kappa,
                 const Index4& boundary) {
  C d[spins][colours];
  const Spinor here = psi(x);
  for (int s = 0; s < spins; ++s) {
    for (int a = 0; a < colours; ++a) d[s][a] = value(here.at[s][a]);
  }
  for (int mu = 0; mu < directions; ++mu) {
    const Index4 ahead = moved(lattice, x, mu, +1);
    const Index4 behind = moved(lattice, x, mu, -1);
    const Link u = link(x, mu);
    const Link v = link(behind, mu);
    const Spinor next = psi(ahead);
    const Spinor last = psi(behind);
    const double to_next = kappa * (ahead[mu] == 0 ? boundary[mu] : 1);
    const double to_last = kappa * (x[mu] == 0 ? boundary[mu] : 1);
    for (int s = 0; s < spins; ++s) {
      for (int r = 0; r < spins; ++r) {
        const C one = s == r ? 1 : 0;
        for (int a = 0; a < colours; ++a) {
          for (int b = 0; b < colours; ++b) {
            d[s][a] -= to_next * (one - gamma[mu][s][r]) * value(u.at[a][b]) * value(next.at[r][b]);
            d[s][a] -= to_last * (one + gamma[mu][s][r]) * std::conj(value(v.at[b][a])) * value(last.at[r][b]);
          }
        }
      }
    }
  }
  Spinor out;
  for (int s = 0; s < spins; ++s) {
    for (int a = 0; a < colours; ++a) {
      C sum = 0;
      for (int r = 0; r < spins; ++r) sum += gamma_5[s][r] * d[r][a];
      out.at[s][a] = {sum.real(), sum.imag()};
    }
  }
  return out;
}

}  // namespace tenken::qcd
