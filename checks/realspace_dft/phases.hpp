// Parts of an iteration.
#pragma once

#include "base/phases.hpp"

namespace tenken::realspace {

enum class Phase {
  iteration,
  filter,
  stencil,
  halo,
  nonlocal,
  nonlocal_allreduce,
  gram_schmidt,
  mm,
  dgemm1,
  dgemm2,
  allreduce1,
  leaf,
  leaf_allreduce,
  allgatherv,
  bcast,
  subspace,
  subspace_allreduce,
  eigen,
  density,
  density_allreduce,
  potential
};
inline constexpr int phases = static_cast<int>(Phase::potential) + 1;

using Watch = PhaseWatch<Phase>;
using Timed = InPhase<Phase>;

}  // namespace tenken::realspace
