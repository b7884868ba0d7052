// Barriers and sums of all sizes over all ranks, one call after the other.
#pragma once

#include <cstdint>
#include <vector>

#include "in_a_row.hpp"
#include "measure/check.hpp"

namespace mpi_collectives {

class Row {
 public:
  // Collective over the ranks of the check: how many calls make a sample is measured; one, where `cores_shared`.
  Row(tenken::Check& check, bool sums, bool barriers, bool cores_shared);

  void pass();
  void prove();

 private:
  tenken::Check& check_;
  std::vector<std::int64_t> sizes_;
  std::vector<RowOfSums> sums_;
  std::vector<int> calls_;  // of a sample, by size
  int barrier_calls_ = 0;
  std::uint64_t sample_ = 0;
  std::int64_t wrong_ = 0;
};

}  // namespace mpi_collectives
