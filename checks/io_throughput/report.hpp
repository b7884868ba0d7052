// What a launch says at its end: rates, cache state, late calls, wrong data and proofs.
#pragma once

#include "passes.hpp"

namespace io_throughput {

// Collective.
void report(const Launch& launch, Passes& passes);

}  // namespace io_throughput
