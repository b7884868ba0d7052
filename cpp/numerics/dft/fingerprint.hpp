// Who may go on from a checkpoint: a number of all that changes the answer of an input.
#pragma once

#include <cstdint>

#include "numerics/dft/system.hpp"

namespace tenken::dft {

std::uint64_t fingerprint(const Input& input);

}  // namespace tenken::dft
