// The rate at which memory can be read, by a loop that does nothing else: the ceiling of loops that read matrices.
#pragma once

#include "numerics/team.hpp"

namespace tenken {

constexpr int most_streams = 8;

// The sum of x over one range, read as so many streams side by side (1 to most_streams): the range is cut into equal
// parts, of which one line each is read in turn, and lines ahead are requested, as in runs.hpp and coloured.cpp.
double sum_of_streams(Range r, const double* x, int streams);

}  // namespace tenken
