// The level of threads that a launch asks of MPI.
#pragma once

#include <string_view>

#include "base/table.hpp"

namespace tenken {

std::string_view thread_level_name(int level);  // MPI_THREAD_MULTIPLE -> "multiple"

// The level that these arguments need: the one stated by check.toml or --thread_level; where none is, funneled for
// several OpenMP threads and single for one. Arguments that will be refused need no more than single.
int wanted_thread_level(const CheckTable& table, int argc, const char* const* argv);

// Throws UserError (lacking), naming both levels, where the MPI provides less than wanted.
void require_thread_level(int wanted, int provided);

}  // namespace tenken
