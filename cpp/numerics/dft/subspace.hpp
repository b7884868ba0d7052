// Rotation of the bands of one k: orthonormal bands, then those combinations of them that diagonalise the Hamiltonian
// among them (Rayleigh-Ritz).
#pragma once

#include <vector>

#include "numerics/dft/hamiltonian.hpp"
#include "numerics/dft/row_team.hpp"
#include "numerics/dft/share.hpp"

namespace tenken::dft {

// Images of bands that a thread has at a time.
inline constexpr std::int64_t images_at_once = 8;

class Subspace {
 public:
  // Sizes of all k that follow. dv: volume of a point. Ranks of the same k each take a part of the bands' images.
  Subspace(std::int64_t bands, std::int64_t points, double dv, int threads = 1, SameK same_k = {});

  // Called by all threads of the team. u: [band][point], values: [band], Hartree, in rising order. The BLAS works on
  // one thread meanwhile (BlasOnOneThread).
  void rotate(const Hamiltonian& h, const double* potential, Complex* u, double* values);

  // Of all rotations so far: no band was a combination of others, and LAPACK found all eigenvalues.
  bool independent() const { return independent_; }
  bool diagonal() const { return diagonal_; }

 private:
  void fill_columns(const Hamiltonian& h, const double* potential, const Complex* u);
  void turn(Complex* u) const;

  std::int64_t bands_, points_;
  double dv_;
  SameK same_k_;
  RowTeam team_;
  std::vector<Complex> matrix_;  // [column][row], its lower half
  bool independent_ = true, diagonal_ = true;
};

}  // namespace tenken::dft
