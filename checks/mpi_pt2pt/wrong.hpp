// Which rank got bytes that nobody sent, and where.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "measure/check.hpp"
#include "this_check.hpp"

namespace mpi_pt2pt {

constexpr std::size_t longest_host = 256;

// The first wrong word that this rank found.
struct WrongPlace {
  std::int64_t size = 0;  // bytes of the message; 0: nothing was wrong
  std::int64_t message = 0, word = 0;

  void see(const device::Wrong& wrong, std::int64_t bytes) {
    if (size == 0 && wrong.bytes > 0) *this = {bytes, wrong.message, wrong.word};
  }
};

// Collective. A row HOST/RANK for each rank with wrong bytes; no rows where there is none. Whole on rank 0. On cards
// the place of the first is known: the size of the message, its number in the sample and the number of the 8 bytes in
// it.
inline tenken::Table wrong_table(const tenken::Check& check, std::int64_t wrong, const WrongPlace* place = nullptr) {
  tenken::Table table{"wrong_bytes", "1", tenken::Better::lower, {}, {"bytes"}, {}};
  if (place != nullptr) table.columns = {"bytes", "size", "message", "word"};
  const std::size_t columns = table.columns.size();
  std::array<char, longest_host> host{};
  check.host().copy(host.data(), longest_host - 1);
  const int bytes = static_cast<int>(host.size());
  std::array<std::int64_t, 4> own{wrong};
  if (place != nullptr) own = {wrong, place->size, place->message, place->word};
  const std::size_t all = check.rank() == 0 ? static_cast<std::size_t>(check.ranks()) : 0;
  std::vector<char> hosts(all * host.size());
  std::vector<std::int64_t> cells(all * own.size());
  MPI_Gather(host.data(), bytes, MPI_CHAR, hosts.data(), bytes, MPI_CHAR, 0, check.comm());
  MPI_Gather(own.data(), 4, MPI_INT64_T, cells.data(), 4, MPI_INT64_T, 0, check.comm());
  for (std::size_t i = 0; i < all; ++i) {
    if (cells[i * own.size()] == 0) continue;
    table.rows.push_back(std::string(&hosts[i * host.size()]) + "/" + std::to_string(i));
    for (std::size_t k = 0; k < columns; ++k) table.values.emplace_back(static_cast<double>(cells[i * own.size() + k]));
  }
  return table;
}

// Collective. `wrong`: bytes that came to this rank and were not sent.
inline void prove_payload(tenken::Check& check, std::int64_t wrong, const WrongPlace* place = nullptr) {
  check.prove(this_check::validity::payload, check.sum_over_ranks(static_cast<double>(wrong)));
  if (const tenken::Table table = wrong_table(check, wrong, place); !table.rows.empty()) check.table(table);
}

}  // namespace mpi_pt2pt
