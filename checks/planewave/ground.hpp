// Self-consistent ground state in plane waves: in each iteration a Davidson pass over the bands of every k-point, their
// density, and the next density by Anderson's mixing. Density and potential lie on every rank as a whole.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "crystal.hpp"
#include "davidson.hpp"
#include "numerics/dft/energies.hpp"
#include "numerics/dft/mixing.hpp"

namespace tenken::planewave {

struct GroundOptions {
  Within within = Within::halves;
  Eigen eigen = Eigen::replicated;
  std::int64_t block = 64;  // bands of a block of Gram-Schmidt
  int merge = 8;            // bands of one message of the transforms
  std::uint64_t seed = 1;
  double tolerance = 1e-6;       // of the density: |out - in| integrated over the cell, electrons
  bool conjugate_phase = false;  // planted errors
  bool stale_projector = false;
  bool lost_column = false;
};

class Ground {
 public:
  // Collective. Throws UserError where the crystal cannot be computed so.
  Ground(const Groups& groups, const Crystal& crystal, const dft::System& system, const GroundOptions& options);

  // Passes in the first potential, that of atoms side by side. Collective, as is what follows.
  void begin(int passes);
  void iterate();

  bool converged() const { return residual_ <= options_.tolerance; }
  double residual() const { return residual_; }  // of the density, electrons
  double band_residual() const;                  // the greatest |H u - e u| of this rank's shown bands, Hartree
  const dft::Energies& energies() const { return energies_; }  // of the density of the bands, Hartree a cell
  double electrons() const;                                    // integral of the density
  std::int64_t restarts() const { return davidson_->restarts(); }
  std::int64_t bytes() const;

  // Of all k-points, on every rank: [k][band], Hartree.
  std::vector<double> eigenvalues() const;

  const BandSplit& split() const { return split_; }
  std::vector<std::unique_ptr<Hamiltonian>>& hamiltonians() { return hamiltonians_; }
  std::vector<Orbitals>& orbitals() { return orbitals_; }  // of this rank's k-points
  Range k_range() const { return k_range_; }
  const std::vector<double>& potential() const { return potential_; }  // [point of the grid], of the last passes
  std::vector<double> own_potential(const Sphere& sphere) const;       // [point of this rank]
  Orthonormaliser& orthonormaliser() { return davidson_->orthonormaliser(); }
  void watch(Watch* watch);

 private:
  void passes();
  std::vector<double> density();
  void energies_of_bands();

  const Groups& groups_;
  const dft::System& system_;
  GroundOptions options_;
  BandSplit split_;
  Range k_range_;
  Watch* watch_ = nullptr;
  std::vector<std::unique_ptr<Hamiltonian>> hamiltonians_;
  std::vector<Orbitals> orbitals_;
  std::unique_ptr<Davidson> davidson_;
  dft::Symmetriser symmetriser_;
  dft::Hartree hartree_;
  dft::AndersonMixing mixing_;
  std::vector<double> density_in_, density_, potential_, after_;
  dft::Energies energies_;
  double residual_ = 1e300;
};

// Bytes of a rank with so many k-points, bands and waves; the formula that README.md explains.
double ground_bytes(const Crystal& crystal, const GroupGrid& grid, std::int64_t k_points, int merge);

}  // namespace tenken::planewave
