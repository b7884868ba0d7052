// Kohn-Sham ground state of a System: Chebyshev-filtered subspace iteration (Y. Zhou, Y. Saad, M. L. Tiago,
// J. R. Chelikowsky, J. Comput. Phys. 219, 172 (2006)), blocked Gram-Schmidt, Rayleigh-Ritz in the subspace, Anderson
// mixing of the density. Bands are orthonormal: sum over points conj(u_a) u_b dV = delta_ab.
//
// Free of MPI: a rank hands in its k-points, a function that adds numbers up over all ranks, and what ranks of the same
// k-points exchange: each of these has all bands, filters a part of them and applies H to it. Threads of OpenMP share
// k-points and bands; they share the bands and points of a k-point where a rank has fewer k-points than
// threads.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <vector>

#include "base/buffer.hpp"
#include "numerics/dft/energies.hpp"
#include "numerics/dft/mixing.hpp"
#include "numerics/dft/share.hpp"

namespace tenken::dft {

struct GroundStateOptions {
  double tolerance = 1e-9;  // of the density: |out - in| integrated over the cell, electrons
  int most_iterations = 100;
  int guard_bands = 4;     // computed beyond the occupied ones
  int degree = 16;         // of the Chebyshev filter
  int history = 8;         // densities that the mixing keeps
  double mixing = 0.8;     // part of the residual that is added
  std::uint64_t seed = 1;  // of the first orbitals
  ApplyStencil stencil;    // empty: apply_rows
  // Without a field H(-k) = conj H(k), and H(g k) is H(k) turned by a symmetry g of the system. Of k and -g k on a
  // rank, one is computed; the orbitals of the other are its complex conjugates, turned by g.
  bool time_reversal = true;
};

struct GroundState {
  Range k_range;                    // of System::k_points, those held here
  int bands = 0;                    // occupied and guard bands, in order of energy
  Range mine;                       // occupied bands that this rank, of those with these k-points, adds to sums
  Buffer<Complex> orbitals;         // [k - k_range.first][band][point]
  std::vector<double> eigenvalues;  // [k - k_range.first][band], Hartree
  std::vector<double> density;      // [point], of all k, of these orbitals, symmetric
  std::vector<double> potential;    // [point]: ions, Hartree and exchange-correlation of that density
  Energies energies;
  double residual = 0;  // as in tolerance
  int iterations = 0;
  bool converged = false;

  Occupied occupied() const { return {k_range, bands, mine, orbitals.data()}; }
};

class GroundStateSolver {
 public:
  // Throws UserError where the memory of the node does not hold the orbitals.
  GroundStateSolver(const System& system, Range k_range, GroundStateOptions options, Reduce reduce = alone,
                    SameK same_k = {});

  // One iteration; false when it has converged or used up its iterations before.
  bool step();
  // Bands of a potential that is held in place of iterations: hold() starts from `orbitals`
  // ([k][state().bands][point]), refine() filters and rotates them `passes` times. They and their eigenvalues are in
  // state(), whose density and energies are then not theirs.
  void hold(const std::vector<double>& potential, const Complex* orbitals);
  void refine(const std::vector<double>& potential, int passes);

  // k-points of this rank whose bands are computed.
  std::int64_t computed() const { return static_cast<std::int64_t>(computed_.size()); }
  // As far as it has come. `potential`, `density` and the energies are those of the orbitals.
  const GroundState& state() const { return state_; }
  // Ends the iterations and hands the state over.
  GroundState take() && { return std::move(state_); }

  // All that the following steps depend on, as raw numbers: restored on the same k-points, the rest of the iterations
  // has the same bits. restore() returns false where the stream ends before.
  void save(std::ostream& out) const;
  bool restore(std::istream& in);

 private:
  double first_cut() const;
  void filter(const std::vector<double>& potential, bool first);
  void rotate(const std::vector<double>& potential);
  void find_pairs();
  void mirror();

  // `at` = -g k of `of`, both as k - k_range.first.
  struct Pair {
    std::int64_t at, of;
    std::size_t symmetry;
  };

  const System& system_;
  GroundStateOptions options_;
  Reduce reduce_;
  SameK same_k_;
  std::vector<Hamiltonian> hamiltonians_;  // [k - k_range.first]
  std::vector<std::int64_t> computed_;     // k - k_range.first of those that are no Pair::at
  std::vector<Pair> pairs_;
  Symmetriser symmetriser_;
  std::unique_ptr<Hartree> hartree_;
  AndersonMixing mixing_;
  std::vector<double> density_in_;
  GroundState state_;
};

// All iterations.
GroundState ground_state(const System& system, Range k_range, const GroundStateOptions& options,
                         const Reduce& reduce = alone, const SameK& same_k = {});

// Bytes that a rank needs for `k_count` k-points on `threads` threads.
std::int64_t ground_state_bytes(const System& system, std::int64_t k_count, int guard_bands, int threads);

// Throws UserError (impossible) with the need where `ranks` such ranks want more than `available` bytes of their node.
void require_memory(std::int64_t bytes_of_a_rank, int ranks, std::int64_t available);

}  // namespace tenken::dft
