// Calls that are too short to be timed one by one are timed in batches.
#pragma once

#include <mpi.h>

#include <functional>

namespace tenken {

// How many calls last about 100 us on the slowest rank: long against the cost of a
// section, short against the interruptions of a busy node. Between 1 and 4096, the
// same on every rank. `run(calls)` does that many calls; collective over `comm`.
int batch_of(MPI_Comm comm, const std::function<void(int calls)>& run);

// The same from tries alone: `seconds(calls)` is how long a try of so many calls took. Tries that other load made
// longer do no harm as long as one of 25 of a single call was not, or 40 ms have gone by.
int batch_by(const std::function<double(int calls)>& seconds);

}  // namespace tenken
