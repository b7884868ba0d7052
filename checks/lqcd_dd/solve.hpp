// The solve of a launch: once to the tolerance, proved and recorded, then iteration by iteration.
#pragma once

#include "fermions.hpp"
#include "measure/check.hpp"
#include "qcd/launch/field.hpp"

namespace tenken::lqcd_dd {

// Bytes a site that the clover term and the solver need.
double bytes_a_site(const Parameters& parameters);

// --block, 1,1,1,1 where the solver has no blocks.
Index4 block_of(const Parameters& parameters);

// Throws UserError, before anything is made, for blocks that the lattice of a rank does not have.
void check_blocks(const Check& check, const qcd::Geometry& geometry);

void solve(Check& check, qcd::PreparedField& field, const qcd::ExtendedLinks& around, const Fermions& fermions,
           const qcd::Field& source);

}  // namespace tenken::lqcd_dd
