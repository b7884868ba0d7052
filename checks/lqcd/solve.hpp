// The solves of a launch: timed, proved against the plain operator, recorded.
#pragma once

#include "device/device.hpp"
#include "measure/check.hpp"
#include "qcd/gauge/extended.hpp"
#include "qcd/wilson.hpp"

namespace tenken::lqcd {

// Conjugate gradients on the normal equations of the whole lattice.
void solve_normal(Check& check, qcd::Wilson& h, const qcd::Field& source);

// Of the even sites, in vectors, in double or mixed precision. `links` are those that `h` uses, with their halo. Throws
// UserError where the block cannot be cut for vectors.
void solve_even_odd(Check& check, qcd::Wilson& h, const qcd::ExtendedLinks& links, const qcd::Field& source);

// Each of these solvers on a device. Throws UserError where the block cannot be a checkerboard, and where the device
// has not the memory.
void solve_on_device(Check& check, device::Device& device, qcd::Wilson& h, const qcd::ExtendedLinks& links,
                     const qcd::Field& source);

}  // namespace tenken::lqcd
