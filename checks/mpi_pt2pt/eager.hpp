// The switch from eager messages to a rendezvous, as values and a table of the record.
#pragma once

#include "measure/check.hpp"

namespace mpi_pt2pt {

// Collective; between rank 0 and its `partner`, up to the largest of --sizes. Value eager_limit (B), or eager_at_least
// where no send waited; table send_to_late_receiver (us by size). Nothing where ranks share cores: a receiver that is
// late by the scheduler's will tells nothing.
void find_eager_limit(tenken::Check& check, int partner);

}  // namespace mpi_pt2pt
