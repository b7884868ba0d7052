// What a launch of either model stands on: grid, cells of the rank, operators with planted faults, and their proofs.
#pragma once

#include <functional>
#include <string>

#include "measure/check.hpp"
#include "operators.hpp"
#include "patch.hpp"
#include "settings.hpp"

namespace atmosphere {

class Planet {
 public:
  // Collective. `bytes`: of the model on this rank, beside the grid. Throws UserError: memory (refused, with the need).
  Planet(tenken::Check& check, const Settings& settings, double radius, double bytes);

  // Of the grid and the operators, before the first step. Collective, like all below.
  void prove() const;
  // A map of values of the own cells, each less the mean over the map: the nearest cells of longitudes and latitudes.
  void map(const char* name, const char* unit, const std::function<double(std::int64_t)>& value) const;
  // Of bits of all cells: the same on any number of ranks.
  double fingerprint(const std::function<std::uint64_t(std::int64_t)>& bits) const;
  double sum(double mine) const { return check.sum_over_ranks(mine); }
  // The time step that was asked for, 0: `usual` of `longest`, s. Throws UserError (refused) where it is longer.
  double step(double longest, double usual) const;
  void report() const;  // values of grid and patch

  tenken::Check& check;
  const Settings settings;
  const Grid grid;
  const Patch patch;
  const double radius;
  Operators operators;
  Spacing spacing;  // m
};

}  // namespace atmosphere
