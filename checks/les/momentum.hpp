// The matrix of the momentum equation: A = M / dt + (C + K) / 2, one for all three components.
//
//   M  lumped mass: sum over elements of the integral of N_a
//   K  viscosity: sum of nu_e times the integral of grad N_a . grad N_b
//   C  convection by the mean velocity w of an element, skew, so that it makes no energy:
//      (w . G_b - w . G_a) / 16, half of the integral of N_a w . grad N_b less its transpose, by one point
//
// Rows of fixed nodes are empty: unknowns are changes of the velocity, which are 0 there. On each rank A has its own
// elements; products are summed over the ranks that share a node.
#pragma once

#include <cstdint>
#include <vector>

#include "elements.hpp"
#include "numerics/sell.hpp"

namespace les {

template <class Real>
class Momentum {
 public:
  // fixed: of nodes; must outlive it.
  Momentum(const Mesh& mesh, const Elements<Real>& elements, const std::vector<std::uint8_t>& fixed);

  // viscosity: by slot; flux: w . G_a, [block][corner][lane]; mass: of each node, of the elements of this rank.
  // Writes the diagonal of this rank's A, 0 at fixed nodes.
  void assemble(const Real* viscosity, const Real* flux, const Real* mass, double dt, Real* diagonal);

  const tenken::Sell<Real>& matrix() const { return a_; }

 private:
  const Elements<Real>& elements_;
  const std::vector<std::uint8_t>& fixed_;
  std::vector<std::int32_t> touching_;  // slots by node and corner, -1: none
  tenken::Sell<Real> a_;
  tenken::Buffer<std::uint8_t> place_;  // [slot][a][b]: where in the row of corner a the column of corner b stands
};

}  // namespace les
