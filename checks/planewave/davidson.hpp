// The lowest bands of one k-point by blocks of Davidson's method (E. R. Davidson, J. Comput. Phys. 17, 87 (1975)): a
// pass adds to the bands their residuals, preconditioned (M. P. Teter, M. C. Payne, D. C. Allan, Phys. Rev. B 40, 12255
// (1989), equation 5.16), and takes the lowest of what diagonalises the Hamiltonian among both.
#pragma once

#include <cstdint>
#include <vector>

#include "bands.hpp"
#include "base/buffer.hpp"
#include "hamiltonian.hpp"
#include "orthonormal.hpp"

namespace tenken::planewave {

// Who diagonalises: every rank of the k-point's group, or its first, which sends the result.
enum class Eigen { replicated, leader };

// Bands of a k-point; `of` its Hamiltonian.
struct Orbitals {
  Orbitals(Hamiltonian& of, const BandSplit& split, std::uint64_t seed, std::int64_t number);  // random; collective

  Columns columns() { return {of->sphere().waves(), of->rows(), data.data()}; }

  Hamiltonian* of;
  Buffer<Complex> data;            // [band of this group][row]
  std::vector<double> eigenvalue;  // [band], Hartree, in rising order after a pass
  double residual = 0;             // of the last pass: the greatest |H u - e u| of the shown bands, Hartree
};

class Davidson {
 public:
  // most_waves, most_rows: of all k-points of this rank.
  Davidson(const Groups& groups, const BandSplit& split, std::int64_t shown, std::int64_t most_waves,
           std::int64_t most_rows, Within within, Eigen eigen, std::uint64_t seed, Watch* watch);

  // One pass. The bands stay orthonormal to rounding, and their products with projectors are up to date. Collective
  // over the ranks of the k-point.
  void pass(Orbitals& orbitals, const std::vector<double>& potential);

  Orthonormaliser& orthonormaliser() { return orthonormal_; }
  std::int64_t restarts() const { return restarts_; }  // searches that were combinations of others, and began anew
  std::int64_t bytes() const;
  // A planted error: products of the last band of this rank are those before the rotation.
  void leave_stale() { stale_ = true; }
  void watch(Watch* watch);

 private:
  void residuals(Orbitals& orbitals, const Columns& search);
  void search(Orbitals& orbitals);
  void fill_matrix(const Columns& bands, const Columns& found);
  void diagonalise(std::vector<double>& lowest);
  void rotate(const Columns& bands, const Columns& found);
  void sum_waves(std::vector<double>& numbers);

  const Groups& groups_;
  BandSplit split_;
  std::int64_t shown_;  // the lowest bands, whose residuals count
  Eigen eigen_;
  std::uint64_t seed_;
  Watch* watch_;
  Orthonormaliser orthonormal_;
  Panels panels_;
  Buffer<Complex> found_, rotated_;              // [band of this group][row]
  Buffer<Complex> images_, images_of_found_;     // [band of this group][wave]
  std::vector<Complex> matrix_, part_, chosen_;  // of twice the bands; of a panel
  std::int64_t restarts_ = 0;
  bool stale_ = false;
};

}  // namespace tenken::planewave
