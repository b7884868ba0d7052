// A small file of text that the first rank reads for all.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>

namespace tenken {

// Collective. The text of `file`, at most `most` bytes, on every rank. Throws UserError (refused) that names `option`,
// the file and why it cannot be read, on every rank.
std::string text_for_all(MPI_Comm comm, const std::string& option, const std::string& file, std::size_t most);

}  // namespace tenken
