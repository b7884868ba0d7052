// Operations between cards by NCCL. No name of NCCL is here: nccl.cpp is compiled where its headers are.
#pragma once

#include <mpi.h>

#include <memory>

#include "card_operation.hpp"

namespace mpi_collectives::device {

// Collective over `comm`, with a card for each rank. All-reduce is ncclAllReduce, all-to-all is sends and receives in a
// group. UserError where the library is not there or refuses.
std::unique_ptr<Carrier> carried_by_nccl(MPI_Comm comm, Device& card);

}  // namespace mpi_collectives::device
