// Which rank got bytes that nobody sent.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "measure/record_table.hpp"

namespace mpi_pt2pt {

// Collective. A row HOST/RANK for each rank with wrong bytes; no rows where there is none. Whole on rank 0.
inline tenken::Table wrong_table(MPI_Comm comm, std::int64_t wrong) {
  tenken::Table table{"wrong_bytes", "1", tenken::Better::lower, {}, {"bytes"}, {}};
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  std::array<char, MPI_MAX_PROCESSOR_NAME + 1> host{};
  int length = 0;
  MPI_Get_processor_name(host.data(), &length);
  const int bytes = static_cast<int>(host.size());
  const std::size_t all = rank == 0 ? static_cast<std::size_t>(ranks) : 0;
  std::vector<char> hosts(all * host.size());
  std::vector<std::int64_t> counts(all);
  MPI_Gather(host.data(), bytes, MPI_CHAR, hosts.data(), bytes, MPI_CHAR, 0, comm);
  MPI_Gather(&wrong, 1, MPI_INT64_T, counts.data(), 1, MPI_INT64_T, 0, comm);
  for (std::size_t i = 0; i < all; ++i) {
    if (counts[i] == 0) continue;
    table.rows.push_back(std::string(&hosts[i * host.size()]) + "/" + std::to_string(i));
    table.values.emplace_back(static_cast<double>(counts[i]));
  }
  return table;
}

}  // namespace mpi_pt2pt
