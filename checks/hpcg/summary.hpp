// What the benchmark prints at its end, in the form of its version 3.1 (J. Dongarra, M. Heroux, P. Luszczek, file
// ReportResults): lines "Group::Name=value".
#pragma once

#include <array>
#include <string>

#include "grid.hpp"
#include "timed.hpp"

namespace tenken::hpcg {

struct Summary {
  int ranks = 0, threads = 0;                         // threads of each rank
  Index<3> grid{}, cells{};                           // ranks in x, y and z; cells of each rank
  std::array<double, levels> equations{}, entries{};  // of each grid, all ranks together
  double memory_bytes = 0;                            // of all ranks
  double setup_seconds = 0, optimization_seconds = 0;
  int plain_iterations = 0, multigrid_iterations = 0;  // of the tests near a diagonal
  double asymmetry_spmv = 0, asymmetry_multigrid = 0;  // in units of rounding
  bool symmetric = false;                              // as the proofs require
  int reference_iterations = 0, iterations = 0;        // of a set
  double timed_iterations = 0;                         // in all
  double residual = 0;                                 // after each set
  std::array<double, phases> phase_seconds{};          // of an iteration
  double iteration_seconds = 0;
  double flop = 0, bytes = 0;  // of an iteration, all ranks together; flop charged
  double rating = 0, rating_24 = 0;
  bool valid = false;
};

// Where the result is not valid it has no times and rates. Pure.
std::string summary_text(const Summary& of);

}  // namespace tenken::hpcg
