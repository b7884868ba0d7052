// What a launch solves: the parameters of the check, or hpcg.dat; and its need of memory.
#pragma once

#include <optional>

#include "gpu/facts.hpp"
#include "measure/check.hpp"
#include "parallel/partition.hpp"

namespace tenken::hpcg {

struct Problem {
  Index<3> cells{};               // of each rank
  Index<3> ranks{};               // in x, y and z
  std::optional<double> seconds;  // of the timed part, where hpcg.dat states them and --seconds is not given
};

// Collective. Throws UserError (refused) for cells that four grids cannot halve, a grid of another number of ranks, and
// options that hpcg.dat leaves without effect.
Problem problem_of(const Check& check);

// Refuses, before anything is allocated, what the node cannot hold: the grids and `solver_bytes`. Returns the bytes of
// a rank.
double require_memory(const Check& check, const Index<3>& cells, double solver_bytes);

// Refuses with the same sentence on all ranks where a card has no room for `bytes` of each of its ranks. Collective.
void require_card_memory(const Check& check, const gpu::Facts& card, const Index<3>& cells, double bytes);

}  // namespace tenken::hpcg
