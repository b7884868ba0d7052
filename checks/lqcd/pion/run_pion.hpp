// The pion correlator of a launch: 12 solves, proved and recorded; then repetitions of the last one.
#pragma once

#include "gauge/start.hpp"
#include "measure/check.hpp"
#include "solver.hpp"

namespace tenken::lqcd {

// Bytes a site that it needs besides those of the solver: b, x, what is left of b, two parts and two right-hand sides.
constexpr double pion_bytes_a_site = 7 * 192;

// Whether --correlator asks for it. Throws UserError for parameters that say something else.
bool pion_asked(const Parameters& parameters);

// `links` are those that `h` uses. Throws UserError where the block cannot be cut for vectors.
void solve_pion(Check& check, Wilson& h, const Links& links, const PointSource& source);

}  // namespace tenken::lqcd
