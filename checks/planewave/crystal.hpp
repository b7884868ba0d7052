// What is computed, of the parameters: crystal, cut-off, grid of the transforms, k-points.
#pragma once

#include <array>
#include <string>

#include "base/parameters.hpp"
#include "numerics/dft/system.hpp"

namespace tenken::planewave {

struct Crystal {
  dft::Input input;
  double cut_off = 0;      // of plane waves, Hartree
  std::int64_t bands = 0;  // computed, the occupied ones among them
};

// Points along an axis of length `cell` that hold all products of two waves up to `cut_off`: the least number without
// prime factors above 7, a multiple of `multiple`.
int good_points(double cell, double cut_off, int multiple);

// Throws UserError for what the parameters do not allow: unknown elements, a grid that is too coarse for the cut-off or
// has large prime factors (the next good numbers are named), a cut-off without waves, fewer bands than electrons / 2.
Crystal crystal_of(const Parameters& parameters);

// Rows and columns of ranks that surely have waves each: half of the wave numbers along the shortest axis.
int most_to_share(const Crystal& crystal);

// The total energy of ABINIT 9.6.2 with the same pseudopotentials, cut-off, functional and k-points, Hartree a cell; 0
// where none is known. Of the values in README.md.
double published_total(const Parameters& parameters, const Crystal& crystal);

}  // namespace tenken::planewave
