// The parts of a time step.
#pragma once

#include "base/phases.hpp"

namespace les {

enum class Phase { loop, blk, model, momentum, ax, gradient, divergence, pressure, ddcom2, ddcomx, pack, wait, unpack };
constexpr int phases = 13;

using StepWatch = tenken::PhaseWatch<Phase>;
using InStep = tenken::InPhase<Phase>;

}  // namespace les
