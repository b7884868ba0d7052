// For tests: the whole sphere on one rank.
#pragma once

#include <mpi.h>

#include "model.hpp"

namespace atmosphere {

struct Alone {
  Grid grid;
  Patch patch;
  Operators operators;

  Alone(int level, bool springs)
      : grid(make_grid(level, springs)),
        patch(make_patch(grid, {level, 0}, 0, 1)),
        operators(grid, patch, earth_radius) {}

  Vec at(std::size_t item) const { return grid.centre[static_cast<std::size_t>(patch.cells[item])]; }
  std::size_t size() const { return static_cast<std::size_t>(patch.own); }
};

}  // namespace atmosphere
