// The parts of a step, for those who time them, and their work.
#pragma once

#include <array>

#include "base/watch.hpp"
#include "base/work.hpp"

namespace atmosphere {

enum class Phase { step, large_step, small_step, vertical_solve, tracer, filter, transfer, pack, wait, unpack };
constexpr std::size_t phases = 10;

using StepWatch = tenken::Watch<Phase>;
using InStep = tenken::InPhase<Phase>;
using Works = std::array<tenken::Work, phases>;  // of each time that a part is entered

inline tenken::Work& work_of(Works& works, Phase phase) { return works[static_cast<std::size_t>(phase)]; }

}  // namespace atmosphere
