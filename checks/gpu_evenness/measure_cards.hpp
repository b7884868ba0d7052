// The repetitions of this check, and its tables.
#pragma once

#include "burn.hpp"
#include "measure/check.hpp"

namespace tenken::gpu_evenness {

// One rank computes on all cards of `form` at once. Tables: those of Series, by card.
void measure(Check& check, const Form& form);

}  // namespace tenken::gpu_evenness
