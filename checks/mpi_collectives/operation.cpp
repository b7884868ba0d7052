#include "operation.hpp"

#include <algorithm>

#include "moved.hpp"
#include "reduced.hpp"

namespace mpi_collectives {

namespace {

std::unique_ptr<Operation> reduced(MPI_Comm comm, std::size_t bytes, bool to_all) {
  if (bytes % sizeof(double) == 0) return std::make_unique<Reduced<double>>(comm, bytes / sizeof(double), to_all);
  return std::make_unique<Reduced<std::int32_t>>(comm, bytes / sizeof(std::int32_t), to_all);
}

}  // namespace

std::size_t piece_of_all(std::int64_t bytes, int ranks) {
  return std::max<std::size_t>(1, static_cast<std::size_t>(bytes) / bytes_of_word / static_cast<std::size_t>(ranks));
}

std::unique_ptr<Operation> make_operation(Kind kind, MPI_Comm comm, std::int64_t bytes) {
  const auto words = static_cast<std::size_t>(bytes) / bytes_of_word;
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  switch (kind) {
    case Kind::bcast:
      return std::make_unique<Bcast>(comm, words);
    case Kind::allreduce:
      return reduced(comm, static_cast<std::size_t>(bytes), true);
    case Kind::reduce:
      return reduced(comm, static_cast<std::size_t>(bytes), false);
    case Kind::allgatherv:
      return std::make_unique<Allgatherv>(comm, words);
    case Kind::alltoall:
      return std::make_unique<Pieces>(comm, piece_of_all(bytes, ranks), false);
    case Kind::neighbour:
      return std::make_unique<Pieces>(comm, words, true);
    case Kind::barrier:
      break;
  }
  return std::make_unique<Barrier>(comm);
}

double memory_of(Kind kind, int ranks, std::int64_t bytes) {
  const auto size = static_cast<double>(bytes);
  switch (kind) {
    case Kind::barrier:
      return 0;
    case Kind::bcast:
      return size;
    case Kind::alltoall:
      return 2 * std::max(size, static_cast<double>(bytes_of_word) * ranks);
    case Kind::neighbour:
      return 2 * size * std::clamp(ranks - 1, 0, 4);
    case Kind::allgatherv:
    case Kind::allreduce:
    case Kind::reduce:
      break;
  }
  return 2 * size;
}

}  // namespace mpi_collectives
