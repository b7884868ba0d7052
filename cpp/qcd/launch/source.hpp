// The right-hand side b of a launch.
#pragma once

#include "measure/check.hpp"
#include "qcd/gauge/start.hpp"
#include "qcd/wilson.hpp"

namespace tenken::qcd {

// --source_site. Throws UserError for a site outside the lattice.
Index4 source_site(const Parameters& parameters, const Geometry& geometry);

// With --source_spin and --source_colour.
PointSource point_of(const Check& check, const Geometry& geometry);

// As --source asks.
Field make_source(const Check& check, const Geometry& geometry, const PointSource& point, std::uint64_t seed);

// Records |b| and |D b|.
void record_source(Check& check, Wilson& h, const Field& b);

}  // namespace tenken::qcd
