// The pion correlator of a launch: 12 solves, proved and recorded; then repetitions of one more.
#pragma once

#include "gauge/start.hpp"
#include "measure/check.hpp"
#include "solver.hpp"

namespace tenken::lqcd {

// Bytes a site that it needs besides those of the solver: of each of the sources solved together b, x, what is left of
// b, a part of x and the b of repetitions; and two fields for residuals.
constexpr double pion_bytes_a_site(int together) { return (5 * together + 2) * 192.0; }

// Whether --correlator asks for it. Throws UserError for parameters that say something else.
bool pion_asked(const Parameters& parameters);

// Point sources solved together, --together. Throws UserError where no solve can do that.
int together_asked(const Parameters& parameters);

// `links` are those that `h` uses. Throws UserError where the block cannot be cut for vectors.
void solve_pion(Check& check, Wilson& h, const Links& links, const PointSource& source);

}  // namespace tenken::lqcd
