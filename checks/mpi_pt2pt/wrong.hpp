// Which rank got bytes that nobody sent.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "measure/check.hpp"

namespace mpi_pt2pt {

constexpr std::size_t longest_host = 256;

// Collective. A row HOST/RANK for each rank with wrong bytes; no rows where there is none. Whole on rank 0.
inline tenken::Table wrong_table(const tenken::Check& check, std::int64_t wrong) {
  tenken::Table table{"wrong_bytes", "1", tenken::Better::lower, {}, {"bytes"}, {}};
  std::array<char, longest_host> host{};
  check.host().copy(host.data(), longest_host - 1);
  const int bytes = static_cast<int>(host.size());
  const std::size_t all = check.rank() == 0 ? static_cast<std::size_t>(check.ranks()) : 0;
  std::vector<char> hosts(all * host.size());
  std::vector<std::int64_t> counts(all);
  MPI_Gather(host.data(), bytes, MPI_CHAR, hosts.data(), bytes, MPI_CHAR, 0, check.comm());
  MPI_Gather(&wrong, 1, MPI_INT64_T, counts.data(), 1, MPI_INT64_T, 0, check.comm());
  for (std::size_t i = 0; i < all; ++i) {
    if (counts[i] == 0) continue;
    table.rows.push_back(std::string(&hosts[i * host.size()]) + "/" + std::to_string(i));
    table.values.emplace_back(static_cast<double>(counts[i]));
  }
  return table;
}

}  // namespace mpi_pt2pt
