// One version of the program, run and compared.
#pragma once

#include <vector>

#include "measure/check.hpp"
#include "version.h"

namespace tenken::xacc_lqcd {

// Ranks in t and z: as equal as they can be, more in t.
struct Grid {
  int t, z;
};
Grid grid_of(int ranks);

// Refuses what cannot be run.
const XaccLqcdVersion& version_of(const Check& check, Grid grid);

// From now on halos travel so. Refuses a route that the variant has not.
void take_route(const Check& check);

// Residuals of a solve of so many iterations.
std::vector<double> residuals(const XaccLqcdVersion& version, int iterations);
// |x|^2 of each time slice.
std::vector<double> slices(const XaccLqcdVersion& version);

// Largest relative difference; 0 of two zeros, infinite of a zero and another number, and where one is no number.
double difference(const std::vector<double>& a, const std::vector<double>& b);

// The same solve by the serial program, on the first rank: largest relative differences of residuals and of slices.
struct Differences {
  double residuals, slices;
};
Differences against_serial(const Check& check, const XaccLqcdVersion& version);

}  // namespace tenken::xacc_lqcd
