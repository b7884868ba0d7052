// The parameter --grid of checks that cut a box of three dimensions over ranks, and three whole numbers in general.
#pragma once

#include <string>
#include <string_view>

#include "base/parameters.hpp"
#include "parallel/partition.hpp"

namespace tenken {

// A parameter of type ints and length 3.
Index<3> index3(const Parameters& parameters, std::string_view name);

// As it is typed: "2,2,1".
std::string listed(const Index<3>& index);

// Ranks in x, y and z as --grid asks for; 0,0,0: the balanced grid of so many cells. Throws UserError where the grid
// needs another number of ranks than there are, or leaves one without cells.
Index<3> rank_grid(const Parameters& parameters, const Index<3>& cells, int ranks);

}  // namespace tenken
