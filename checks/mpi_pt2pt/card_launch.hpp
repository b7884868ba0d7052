// A launch of this check between cards.
#pragma once

#include "device/device.hpp"
#include "measure/check.hpp"

namespace mpi_pt2pt {

// Times and proves messages between the cards of pairs of ranks by the route that is asked for. Collective. Throws
// UserError where the parameters, MPI or the cards do not permit it.
void launch_on_cards(tenken::Check& check, const device::Form& form);

}  // namespace mpi_pt2pt
