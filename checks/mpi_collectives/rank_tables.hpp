// What each rank saw of each operation, as tables: rows HOST/RANK/PROCESSOR, columns operations.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "measure/check.hpp"

namespace mpi_collectives {

// The samples of one column on this rank.
struct Column {
  std::string name;
  std::vector<float> begun_us;  // entered the call so long after the instant
  std::vector<float> ended_us;  // left it
  std::int64_t windows = 0;
  std::int64_t missed = 0;  // not begun in time
};

double median_of(std::vector<float> values);  // NaN of none

// Collective over all ranks; on rank 0 alone. `own`: a cell for each column; not a number where nothing was measured.
tenken::Table gather_rows(const tenken::Check& check, const std::string& name, const std::string& unit,
                          const std::vector<std::string>& columns, const std::vector<double>& own);

}  // namespace mpi_collectives
