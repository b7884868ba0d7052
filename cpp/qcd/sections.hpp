// The sections of a solve: every check that solves has them in a table of its own, and tells the solver which they are.
#pragma once

#include "base/table.hpp"

namespace tenken::qcd {

struct SolverSections {
  Group solve;  // one iteration, and in it
  Leaf hop, pack, communication, wait, unpack, update, axpy, dot, norm, reduction;
};

}  // namespace tenken::qcd
