// Kohn-Sham ground state of a System: Chebyshev-filtered subspace iteration (Y. Zhou, Y. Saad, M. L. Tiago,
// J. R. Chelikowsky, J. Comput. Phys. 219, 172 (2006)), blocked Gram-Schmidt, Rayleigh-Ritz in the subspace, Anderson
// mixing of the density. Bands are orthonormal: sum over points conj(u_a) u_b dV = delta_ab.
//
// Free of MPI: a rank hands in its k-points and a function that adds numbers up over all ranks.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "base/buffer.hpp"
#include "numerics/dft/stencil.hpp"
#include "numerics/dft/system.hpp"
#include "numerics/team.hpp"

namespace tenken::dft {

// Adds up n numbers over all ranks, in place, with the same result on each. Called outside of parallel regions.
using Reduce = std::function<void(double* numbers, std::size_t n)>;
inline void alone(double*, std::size_t) {}

// out = (kinetic energy at K + potential) in; see stencil.hpp for the plain one. Called by several threads at a time.
using ApplyStencil = std::function<void(const Stencil&, const double* potential, const Complex* in, Complex* out)>;

struct Energies {
  double kinetic = 0, hartree = 0, exchange_correlation = 0, local = 0, nonlocal = 0, ewald = 0, core = 0;
  double total() const { return kinetic + hartree + exchange_correlation + local + nonlocal + ewald + core; }
};

struct GroundStateOptions {
  double tolerance = 1e-9;  // of the density: |out - in| integrated over the cell, an electron
  int most_iterations = 100;
  int guard_bands = 4;  // computed beyond the occupied ones
  int degree = 12;      // of the Chebyshev filter
  int history = 8;      // densities that the mixing keeps
  double mixing = 0.5;
  std::uint64_t seed = 1;                                                       // of the first orbitals
  ApplyStencil stencil;                                                         // empty: the plain one
  std::function<void(int iteration, double residual, const Energies&)> report;  // called by every rank
};

struct GroundState {
  Range k_range;                    // of System::k_points, those held here
  int bands = 0;                    // occupied and guard bands, in order of energy
  Buffer<Complex> orbitals;         // [k - k_range.first][band][point]
  std::vector<double> eigenvalues;  // [k - k_range.first][band], Hartree
  std::vector<double> density;      // [point], of all k, symmetric
  std::vector<double> potential;    // [point]: ions, Hartree and exchange-correlation, of that density
  Energies energies;
  double residual = 0;  // as in tolerance
  int iterations = 0;
  bool converged = false;

  const Complex* orbital(std::int64_t k, int band, std::int64_t points) const {
    return orbitals.data() + ((k - k_range.first) * bands + band) * points;
  }
};

GroundState ground_state(const System& system, Range k_range, const GroundStateOptions& options,
                         const Reduce& reduce = alone);

// Bytes that a rank needs for `k_count` k-points on `threads` threads; compared with what the node has by the caller.
std::int64_t ground_state_bytes(const Input& input, std::int64_t k_count, int guard_bands, int threads);

}  // namespace tenken::dft
