// What a launch records.
#pragma once

#include "samples.hpp"

namespace halo_paths {

void report(tenken::Check& check, const Cubes& cubes, const Settings& settings, const Samples& samples);

// The number of the best way by its medians, in the order of `kinds`: a way within 5 % of the least is as good, and
// pack is taken before others, else the lowest number. Kinds that are not measured are negative.
int best_of(const std::vector<double>& medians);

}  // namespace halo_paths
