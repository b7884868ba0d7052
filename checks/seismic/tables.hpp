// What a run draws. Collective; outside of the timed steps.
#pragma once

#include "measure/check.hpp"
#include "waves.hpp"

namespace tenken::seismic {

constexpr double source_strength = 1e-3;  // of a moment: 1e15 N m in units of 1e18
constexpr int slice_samples = 128;        // of a slice, along x and along z, at most

// Table `seismogram`: velocity at the receiver in m/s by time. In a homogeneous full space, of an explosion or a force,
// the exact velocity, too.
void write_seismogram(Check& check, const Problem& problem, const Waves<float>& waves);

// Table `slice_vz`: velocity along z after the last step, m/s, in the plane of x and z through the source. Every n-th
// cell of each direction.
void write_slice(Check& check, const Problem& problem, const Waves<float>& waves);

// Table `ranks`: the place of each rank in x and y. A single rank writes none.
void write_ranks(Check& check, const Index<2>& grid);

}  // namespace tenken::seismic
