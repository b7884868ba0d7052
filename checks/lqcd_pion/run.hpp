// The pion correlator of a launch: 12 solves, proved and recorded; then repetitions of one more.
#pragma once

#include "measure/check.hpp"
#include "qcd/launch/field.hpp"
#include "qcd/solver.hpp"

namespace tenken::lqcd_pion {

// Bytes a site that all this needs: those of the solver, and of each of the sources solved together b, x, what is left
// of b, a part of x and the b of repetitions; and two fields for residuals.
double bytes_a_site(const Parameters& parameters);

// Point sources solved together, --together. Throws UserError where no solve can do that.
int together_asked(const Parameters& parameters);

// From point sources at `site`.
void solve_pion(Check& check, qcd::PreparedField& field, const Index4& site);

}  // namespace tenken::lqcd_pion
