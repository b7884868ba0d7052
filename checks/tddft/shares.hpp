// Which k-points a rank works on.
#pragma once

#include <cstdint>
#include <vector>

#include "numerics/team.hpp"

namespace tenken::tddft {

// Shares of `count` k-points in the order of ranks, in proportion to weights (paper 000's symmetric mode: ranks on
// processors of unlike speed). One weight stands for equal shares. Throws UserError where the weights are not one for
// each rank, or some rank would be left without.
std::vector<Range> shares_of(std::int64_t count, const std::vector<std::int64_t>& weights, int ranks);

}  // namespace tenken::tddft
