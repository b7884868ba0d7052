// Whether anywhere more ranks run than cores: there each wait lasts until the scheduler turns, and no time is judged.
#pragma once

#include "measure/check.hpp"

namespace mpi_pt2pt {

// Collective, and the same on all ranks: nodes may differ.
inline bool cores_shared(const tenken::Check& check) {
  return check.max_over_ranks(check.oversubscribed() ? 1 : 0) > 0;
}

}  // namespace mpi_pt2pt
