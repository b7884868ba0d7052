// What a launch records.
#pragma once

#include "passes.hpp"

namespace staging {

void report(const Launch& launch, const Passes& passes);

}  // namespace staging
