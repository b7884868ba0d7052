// Sums of many numbers over the ranks of a communicator.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace tenken {

// numbers[n] of every rank become their sums, in place; n may exceed what MPI counts.
void sum_over(MPI_Comm comm, double* numbers, std::int64_t n);

}  // namespace tenken
