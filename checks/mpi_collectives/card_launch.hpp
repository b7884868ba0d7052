// A launch of this check between cards.
#pragma once

#include "card_operation.hpp"
#include "measure/check.hpp"

namespace mpi_collectives {

// Who carries the data between cards: null for MPI by the route that is asked for.
using CarriedBy = std::unique_ptr<Carrier> (*)(MPI_Comm comm, device::Device& card);

// Times and proves operations between the cards of all ranks. Collective. Throws UserError where the parameters, MPI or
// the cards do not permit it.
void launch_on_cards(tenken::Check& check, const device::Form& form, CarriedBy library);

}  // namespace mpi_collectives
