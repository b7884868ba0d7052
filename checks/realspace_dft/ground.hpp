// Self-consistent ground state at k = 0 on a grid in real space: bands filtered by Chebyshev polynomials (Y. Zhou, Y.
// Saad, M. L. Tiago, J. R. Chelikowsky, J. Comput. Phys. 219, 172 (2006)), Gram-Schmidt, Rayleigh-Ritz, Anderson's
// mixing: the iteration of numerics/dft/ground_state.hpp with real numbers, over blocks of the grid and groups of
// bands. Density and potential are on every rank as a whole.
#pragma once

#include <cstdint>
#include <vector>

#include "base/buffer.hpp"
#include "domain.hpp"
#include "hamiltonian.hpp"
#include "numerics/dft/energies.hpp"
#include "numerics/dft/mixing.hpp"
#include "orthonormal.hpp"

namespace tenken::realspace {

enum class Eigen { replicated, leader };

struct GroundOptions {
  std::int64_t bands = 0;
  std::int64_t block = 256;
  int batch = 4;
  int degree = 16;
  double tolerance = 1e-6;  // of the density: |out - in| integrated over the cell, electrons
  Eigen eigen = Eigen::replicated;
  std::uint64_t seed = 1;
  bool stale_halo = false, lost_sum = false, lost_projector = false;  // planted errors
};

class Ground {
 public:
  Ground(const Domain& domain, const dft::System& system, const GroundOptions& options);  // collective, as what follows

  void begin();  // first bands, in the potential of atoms side by side
  void iterate();

  bool converged() const { return residual_ <= options_.tolerance; }
  double residual() const { return residual_; }
  dft::Energies energies();  // of the bands and their density, Hartree a cell
  double electrons() const;
  const std::vector<double>& eigenvalues() const { return eigenvalues_; }
  std::int64_t bytes() const;
  double least_left() const { return least_left_; }  // of the last Gram-Schmidt

  Range own() const { return own_[static_cast<std::size_t>(domain_.number())]; }
  std::int64_t count() const { return options_.bands; }
  double* bands() { return bands_.data(); }  // [band][point of the block]; those of own() are right
  void orthonormalise();
  Hamiltonian& hamiltonian() { return hamiltonian_; }
  const std::vector<double>& potential() const { return potential_; }  // [point of the grid]
  std::vector<double> own_potential() const;                           // [point of the block]
  void watch(Watch* watch);

 private:
  void filter(bool first);
  void rotate();
  std::vector<double> density();
  double first_cut() const;

  const Domain& domain_;
  const dft::System& system_;
  GroundOptions options_;
  std::vector<Range> own_;  // [group]
  Watch* watch_ = nullptr;
  Hamiltonian hamiltonian_;
  Orthonormaliser orthonormal_;
  dft::Symmetriser symmetriser_;
  dft::Hartree hartree_;
  dft::AndersonMixing mixing_;
  Buffer<double> bands_, images_;  // [band][point]; [band of this group][point]
  Buffer<double> x_, y_;           // of a batch
  std::vector<double> matrix_, chosen_, eigenvalues_;
  std::vector<double> density_in_, density_, potential_, after_;
  double residual_ = 1e300, least_left_ = 1;
};

// Bytes of a rank; the formula that README.md explains.
double ground_bytes(const dft::Input& input, const RankGrid& ranks, std::int64_t bands, int batch);

}  // namespace tenken::realspace
