// A whole run of --steps: checkpoints on the way, a seismogram at the end.
#pragma once

#include <cstdint>

#include "measure/check.hpp"
#include "run.hpp"
#include "timer.hpp"
#include "waves.hpp"

namespace tenken::seismic {

constexpr int steps_a_repetition = 4;  // a multiple of the steps of a pass

// Refuses --steps and --checkpoint_steps that end inside of a repetition.
void require_whole_repetitions(const Parameters& parameters);

// Steps from the beginning, or from the newest checkpoint of --restart, to --steps; equal bits in both. Then writes
// what the run draws: seismogram and slice (tables.hpp).
void whole_run(Check& check, const Request& request, Waves<float>& waves, Timer& timer);

}  // namespace tenken::seismic
