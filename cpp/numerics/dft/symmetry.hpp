// Symmetries of the cubic cell of diamond that leave a field along z as it is, by which a set of k-points is reduced:
//
//   4: half turn about z and glides across x and y; 8: also the mirror that swaps x and y
//
// each together with the translations of the cell's face-centred lattice, which bands of the cubic cell obey anyway.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "numerics/dft/system.hpp"

namespace tenken::dft {

// Takes the fractions f to sign[d] * f[axis[d]] + quarter[d] / 4.
struct Symmetry {
  std::array<int, 3> axis{0, 1, 2};
  std::array<int, 3> sign{1, 1, 1};
  std::array<int, 3> quarter{0, 0, 0};
  bool operator==(const Symmetry&) const = default;
};

// The whole group; the identity alone for reduction 1. Throws UserError for other reductions than 1, 4, 8.
std::vector<Symmetry> symmetries(int reduction);

// Throws UserError where the cell, the grid, the k grid or the atoms lack one of these symmetries.
void require_symmetries(const Input& input);

// Monkhorst-Pack points k_i = (-1/2 + (i + 1/2) / n) 2 pi / cell, one of each orbit under the symmetries, with weights.
std::vector<KPoint> k_points(const Grid& grid, const std::array<int, 3>& k_grid, int reduction);

// Which of the symmetries takes k to -other; nothing where none does.
std::optional<std::size_t> opposite_by(const std::vector<Symmetry>& group, const Vector& k, const Vector& other);

// Without a field bands of -k are those of k, complex conjugate: of each k and -g k, g a symmetry, the first stays,
// with the weight of both. Densities of such a set are made symmetric by Symmetriser as those of the whole one.
std::vector<KPoint> without_opposites(const std::vector<KPoint>& points, int reduction);

// Averages a density over the symmetries.
class Symmetriser {
 public:
  Symmetriser(const Grid& grid, int reduction);
  void operator()(std::vector<double>& density) const;
  // Where symmetry g of symmetries(reduction) takes each point; of the identity (0) it is empty.
  const std::vector<std::int32_t>& images(std::size_t g) const { return g == 0 ? none_ : images_[g - 1]; }

 private:
  std::vector<std::int32_t> none_;
  std::vector<std::vector<std::int32_t>> images_;  // [symmetry but the identity][point]
};

}  // namespace tenken::dft
