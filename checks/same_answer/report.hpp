// The vote over the cores of all ranks, and its record.
#pragma once

#include <string>
#include <vector>

#include "measure/check.hpp"
#include "vote.hpp"

namespace same_answer {

// Collective: the cores of all ranks, in the order of the ranks.
std::vector<Core> gathered(const tenken::Check& check, const std::vector<Core>& mine);

// Names the odd ones of `all` by values odd_UNIT/RANK/NUMBER/KERNEL and records how many UNITs were compared. `unit` is
// "core" or "multiprocessor". Proves that none is odd, and no kernel wrong on all of them (`wrong_kernels`).
void report(tenken::Check& check, const std::vector<Core>& all, const std::string& unit, std::size_t wrong_kernels = 0);

}  // namespace same_answer
