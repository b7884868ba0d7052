// hpcg.dat, the input file of the High Performance Conjugate Gradient benchmark (J. Dongarra, M. Heroux, P. Luszczek,
// HPCG 3.1, 2019): two lines of comment, the cells nx ny nz of a rank, the seconds of the timed part.
#pragma once

#include <string_view>

#include "parallel/partition.hpp"

namespace tenken::hpcg {

struct Input {
  Index<3> cells{};  // of each rank in x, y and z
  double seconds = 0;
};

// Throws UserError (refused) that names `file`, the line and what is expected there. Where the reference takes 16 cells
// or 1800 s in place of a wrong number, this is refused. Pure.
Input read_input(std::string_view text, std::string_view file);

}  // namespace tenken::hpcg
