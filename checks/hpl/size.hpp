// How many equations: as asked, as the memory holds, or as a time is enough for.
#pragma once

#include "device/device.hpp"
#include "measure/check.hpp"

namespace hpl {

// Seconds that `n` equations take at `rate` flop/s of all processes together: 2/3 n^3 + 3/2 n^2.
inline double seconds_of(double n, double rate) { return (2.0 / 3.0 * n + 1.5) * n * n / rate; }

// The largest n of two leading digits whose time at `rate` is at most `seconds`: the same where measured rates differ a
// little. Pure.
int equations_within(double seconds, double rate);

// The same for a matrix of at most `bytes` on all processes together.
int equations_of_bytes(double bytes);

// As the parameters ask; the same on every rank. Measures the rate of a matrix multiplication where they name a time.
// The memory is the available memory of the nodes, and of the cards where there is a `card`. Collective.
int equations(tenken::Check& check, const device::Device* card);

}  // namespace hpl
