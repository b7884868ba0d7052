// The parts of a step, for those who time them.
#pragma once

#include "base/watch.hpp"

namespace atmosphere {

enum class Phase { step, large_step, filter, transfer, pack, wait, unpack };
using StepWatch = tenken::Watch<Phase>;
using InStep = tenken::InPhase<Phase>;

}  // namespace atmosphere
