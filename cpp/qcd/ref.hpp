// The reference: H = gamma_5 D written as the formula, with explicit gamma matrices. Never made faster.
#pragma once

#include <functional>

#include "parallel/decomposition.hpp"
#include "qcd/algebra.hpp"

namespace tenken::qcd {

using LinkAt = std::function<Link(const Index4& site, int mu)>;
using SpinorAt = std::function<Spinor(const Index4& site)>;

// (gamma_5 D psi)(x), D psi(x) = psi(x) - kappa sum_mu [ (1 - gamma_mu) U_mu(x) psi(x + mu)
//                                                      + (1 + gamma_mu) U_mu(x - mu)^dagger psi(x - mu) ],
// mu = x, y, z, t, on a lattice where psi(x + L_mu) = boundary_mu psi(x). `link` and `psi` are asked for sites inside
// it.
Spinor reference(const Index4& lattice, const Index4& x, const LinkAt& link, const SpinorAt& psi, double kappa,
                 const Index4& boundary = {1, 1, 1, 1});

}  // namespace tenken::qcd
