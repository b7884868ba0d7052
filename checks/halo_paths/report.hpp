// What a launch records.
#pragma once

#include "route_file.hpp"
#include "samples.hpp"

namespace halo_paths {

void report(tenken::Check& check, const Cubes& cubes, const Settings& settings, const Samples& samples,
            const RouteFile& file);

}  // namespace halo_paths
