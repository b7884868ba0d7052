// What a launch records.
#pragma once

#include "samples.hpp"

namespace mixed_mode {

void report(tenken::Check& check, const Modes::Options& options, const Samples& samples);

}  // namespace mixed_mode
