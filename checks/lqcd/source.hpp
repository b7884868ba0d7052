// The right-hand side b of a launch.
#pragma once

#include "gauge/start.hpp"
#include "measure/check.hpp"
#include "wilson.hpp"

namespace tenken::lqcd {

// Where a point source is, as the parameters ask. Throws UserError for a site outside the lattice.
PointSource point_of(const Check& check, const Geometry& geometry);

Field make_source(const Check& check, const Geometry& geometry, const PointSource& point, std::uint64_t seed);

// Records |b| and |D b|.
void record_source(Check& check, Wilson& h, const Field& b);

}  // namespace tenken::lqcd
