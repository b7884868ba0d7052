// Values, tables and proofs of a launch.
#pragma once

#include "passes.hpp"

namespace metadata {

void report(const Launch& launch, const Passes& passes);  // collective

}  // namespace metadata
