// A launch of this check, whatever runs its kernels.
#pragma once

#include "device/device.hpp"
#include "measure/check.hpp"

namespace tenken::lqcd {

// Makes and proves the field, then times and proves a solver: on the device that `make_device` makes for a rank of a
// node, or on the host where it is null.
void launch(Check& check, std::unique_ptr<device::Device> (*make_device)(int node_rank));

}  // namespace tenken::lqcd
