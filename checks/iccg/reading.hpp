// The rate at which the threads of a solver read memory, as a ceiling of its iterations.
#pragma once

#include "measure/check.hpp"
#include "solver.hpp"

namespace iccg {

// --read: the rate at which as many bytes as an iteration goes over are summed, by the same threads, and what the
// compulsory bytes of an iteration take at that rate. The rate is that of the fastest of 1, 2, 4 and 8 streams a
// thread: with one stream a processor can be slower than a solver, which reads several.
void time_reading(tenken::Check& check, const Solver& solver);

// Compulsory bytes of an iteration.
double moved_bytes(const Solver& solver);

}  // namespace iccg
