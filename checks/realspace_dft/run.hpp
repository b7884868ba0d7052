// A launch: crystal, ground state, proofs and figures.
#pragma once

#include "measure/check.hpp"

namespace tenken::realspace {

void run(Check& check);

}  // namespace tenken::realspace
