// Pressures that no velocity feels: D^T p = 0. They are taken out of the right side of the pressure, which rounding
// gives a share of them: the operator cannot, and Krylov solvers would run after it.
//
// On any mesh: the constant. On straight boxes with spacings dx_i, dy_j, dz_k also the checkerboards of planes:
// p = (-1)^(i+j) / (dx_i dy_j) in one layer k, and the same for y, z and z, x, where both directions have walls, or an
// even number of elements around (R. L. Sani, P. M. Gresho, R. L. Lee, D. F. Griffiths, Int. J. Numer. Meth. Fluids 1
// (1981) 17, for Q1-P0 elements).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "elements.hpp"
#include "sums.hpp"

namespace les {

class PressureModes {
 public:
  // slot: of each element in arrays of pressures. Collective.
  PressureModes(MPI_Comm comm, const Box& box, const Mesh& mesh, std::span<const std::int32_t> slot);

  // Takes the modes out of p. Collective.
  template <class Real>
  void remove_from(Real* p, Reductions& reduce) const;

  // Of one removal.
  std::int64_t reductions() const { return static_cast<std::int64_t>(families_.size()); }

 private:
  // A set of modes, each element in one of them at most.
  struct Family {
    std::vector<double> weight;       // of each element
    std::vector<std::int32_t> layer;  // which mode
    std::vector<double> square;       // of each mode, of all ranks
  };

  std::vector<std::int32_t> slot_;
  std::vector<Family> families_;
};

}  // namespace les
