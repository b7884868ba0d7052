// Elements of the Hamiltonian between two plane waves by the definition, for proofs: other formulas than those of
// hamiltonian.cpp.
#pragma once

#include <array>
#include <vector>

#include "numerics/dft/pseudopotential.hpp"
#include "numerics/dft/system.hpp"

namespace tenken::planewave {

// Fourier coefficients of the local potential, V(m) = 1/N sum over r of V(r) exp(-i m.r), m = G - G' in reciprocal
// vectors.
class LocalOfWaves {
 public:
  LocalOfWaves(const dft::Grid& grid, const std::vector<double>& potential);
  dft::Complex operator()(const std::array<int, 3>& m) const;

 private:
  dft::Grid grid_;
  std::vector<dft::Complex> spectrum_;
};

// <q|V|p> of the non-local potential of all atoms, q = k + G and p = k + G', by the addition theorem: of one atom at R,
// exp(-i (q - p).R) / volume sum over l of 4 pi (2 l + 1) P_l(cos) sum over i, j of p_i^l(|q|) h_ij p_j^l(|p|), P_l
// Legendre's polynomials.
class NonlocalOfWaves {
 public:
  explicit NonlocalOfWaves(const dft::System& system) : system_(system) {}
  dft::Complex operator()(const dft::Vector& q, const dft::Vector& p) const;

 private:
  double form_of(const dft::Pseudopotential& ion, double q, double p, double angle) const;

  const dft::System& system_;
};

}  // namespace tenken::planewave
