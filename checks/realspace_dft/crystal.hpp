// What is computed, of the parameters.
#pragma once

#include "base/parameters.hpp"
#include "numerics/dft/system.hpp"

namespace tenken::realspace {

struct Crystal {
  dft::Input input;
  std::int64_t bands = 0;  // computed, the occupied ones among them
};

// Throws UserError for what the parameters do not allow: unknown elements, a grid that is too coarse, too few bands.
Crystal crystal_of(const Parameters& parameters);

}  // namespace tenken::realspace
