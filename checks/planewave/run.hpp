// A launch: crystal, ground state, proofs and figures.
#pragma once

#include "measure/check.hpp"

namespace tenken::planewave {

void run(Check& check);

}  // namespace tenken::planewave
