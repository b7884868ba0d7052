// The hopping term of a launch: timed by itself, proved, recorded.
#pragma once

#include "measure/check.hpp"
#include "qcd/gauge/extended.hpp"
#include "qcd/wilson.hpp"

namespace tenken::lqcd_operator {

// Repetitions of LaneSolver::hops on constant and on dependent input, from `source` on. `links` are those that `h`
// uses, with their halo. Throws UserError where the block cannot be cut for vectors.
void time_hops(Check& check, qcd::Wilson& h, const qcd::ExtendedLinks& links, const qcd::Field& source);

}  // namespace tenken::lqcd_operator
