// The program: system and ground state from the parameters, time steps in sections, proofs.
#pragma once

#include "measure/check.hpp"

namespace tenken::tddft {

void body(Check& check);

}  // namespace tenken::tddft
