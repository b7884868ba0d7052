// A launch of this check, on processors or on a device.
#pragma once

#include "device/device.hpp"
#include "measure/check.hpp"

namespace tenken::lqcd {

// Makes and proves the field, then times and proves a solver. The solver runs on a device in this form of the kernels,
// or on the host where `form` is null. Collective. Throws UserError where the parameters, the host or the device do not
// permit it.
void launch(Check& check, const device::Form* form);

}  // namespace tenken::lqcd
