// The non-local potential among plane waves of one k-point, in the separable form of Goedecker, Teter and Hutter:
// V = sum over projectors p of |p> strength <p|, with <k + G|p> = 4 pi / sqrt(volume) p_l(q) Y_lm(q) exp(-i q.R), q = k
// + G, whose radial part is analytic (C. Hartwigsen, S. Goedecker, J. Hutter, Phys. Rev. B 58, 3641 (1998), equations 7
// and following). The factor (-i)^l is left out: it cancels.
#pragma once

#include <cstdint>
#include <vector>

#include "base/buffer.hpp"
#include "numerics/dft/system.hpp"
#include "sphere.hpp"

namespace tenken::planewave {

class Projectors {
 public:
  // conjugate: the phase of the wrong sign, a planted error.
  Projectors(const dft::Grid& grid, const std::vector<dft::Atom>& atoms, const dft::Vector& k, const Sphere& sphere,
             bool conjugate);

  std::int64_t count() const { return static_cast<std::int64_t>(strength_.size()); }
  const dft::Complex* waves() const { return waves_.data(); }  // [projector][wave of this rank]
  const std::vector<double>& strength() const { return strength_; }

 private:
  Buffer<dft::Complex> waves_;
  std::vector<double> strength_;  // Hartree
};

// Of all atoms together.
std::int64_t projector_count(const std::vector<dft::Atom>& atoms);

}  // namespace tenken::planewave
