// Parts of an iteration.
#pragma once

#include "base/phases.hpp"

namespace tenken::planewave {

enum class Phase {
  iteration,
  fft_inverse,
  inverse_lines,
  inverse_alltoall1,
  inverse_alltoall2,
  fft_direct,
  direct_lines,
  direct_alltoall1,
  direct_alltoall2,
  local,
  nonlocal,
  gs,
  wsw,
  wsw_allreduce,
  w1sw2_dgemm1,
  w1sw2_dgemm2,
  w1sw2_allreduce,
  modbppsi_dgemm1,
  modbppsi_dgemm2,
  bcast1,
  bcast2,
  gs_products,
  gs_allreduce,
  eigen,
  subspace,
  subspace_allreduce,
  subspace_bcast,
  residual,
  density,
  density_allreduce,
  potential
};
inline constexpr int phases = static_cast<int>(Phase::potential) + 1;

using Watch = PhaseWatch<Phase>;
using Timed = InPhase<Phase>;

}  // namespace tenken::planewave
