// A table of the record with a row for each rank that has something to report.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "measure/check.hpp"

namespace tenken {

// Collective. A row HOST/RANK for each rank whose number `counted` is above 0; no table where there is no such rank.
// `mine`: a number for each column, of this rank.
void table_of_ranks(Check& check, const char* name, std::vector<std::string> columns, std::size_t counted,
                    std::span<const double> mine);

}  // namespace tenken
