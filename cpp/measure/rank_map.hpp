// Which rank of the check goes to which place, a place being a rank of the launcher.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace tenken {

// The rank of each of `places` places. "" and "row": its own number; "reversed": the last rank first. "12x15x6": places
// and ranks are the cells of a box of these lengths; places are numbered with the last axis fastest, ranks with the
// first. Else a file with one rank a line, the first line for place 0 ('#' starts a comment). UserError (refused) where
// the box has another number of cells, or the file is no permutation of 0 .. places - 1, naming the line.
std::vector<int> read_rank_map(const std::string& map, int places);

// Collective: `world` with its ranks renumbered; itself where nothing changes. The file is read by rank 0 only.
MPI_Comm mapped(MPI_Comm world, const std::string& map);

}  // namespace tenken
