// Electrons that left the bands of the ground state. In velocity gauge the bands that were occupied at k are found at
// k + A, so that occupations are those on the eigenfunctions of the ground state's H at K = k + A:
//
//   N = sum_k w_k 2 sum_b (<u_b|u_b> - sum_occupied |<u_b'(k + A)|u_b>|^2)
#pragma once

#include "electrons.hpp"
#include "numerics/dft/ground_state.hpp"

namespace tenken::tddft {

class Excited {
 public:
  // `system` is kept by reference; the ground state's orbitals are kept. `rounds`: of four filters each, at most.
  Excited(const dft::System& system, dft::GroundState ground, dft::GroundStateOptions options, dft::SameK same_k = {},
          int rounds = 50);

  // Of one cell, to 1e-6; not a number where the bands at k + A have not settled after all rounds. Collective over
  // those who share orbitals by `reduce`.
  double operator()(const Electrons& electrons, const dft::Reduce& reduce) const;

 private:
  const dft::System& system_;
  dft::GroundState ground_;
  dft::GroundStateOptions options_;
  dft::SameK same_k_;
  int rounds_;
};

}  // namespace tenken::tddft
