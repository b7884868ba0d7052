// Absorbing layers: how thick and how strong. Positions are in cells from the first cell of the problem.
#pragma once

#include <array>
#include <cstddef>

#include "problem.hpp"

namespace tenken::seismic {

// Cells that layers take at the two ends of direction d; a free surface takes the place of the layer at the top.
std::array<int, 2> layers_at(const Problem& problem, std::size_t d);

// Of the PML: {1 / kappa, a, b} of kernel.hpp (D. Komatitsch, R. Martin, Geophysics 72, 2007, equations 25 and 26).
std::array<double, 3> damping_at(const Problem& problem, std::size_t d, double position);

// Of the sponge: factor of a step (C. Cerjan and others, Geophysics 50, 1985, equation 4).
double sponge_at(const Problem& problem, std::size_t d, double position);

}  // namespace tenken::seismic
