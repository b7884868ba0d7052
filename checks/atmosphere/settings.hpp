// A launch by its parameters.
#pragma once

#include "base/parameters.hpp"
#include "cases.hpp"
#include "dry_cases.hpp"
#include "patch.hpp"

namespace atmosphere {

struct Settings {
  Regions regions{};
  bool springs = true;
  bool dry = false;  // the model of dry air, else shallow water
  Case which = Case::steady;
  DryCase dry_case{DryCase::balanced};
  int levels = 40, small_steps = 6;
  double tilt = 0;  // rad
  bool limiter = true;
  double dt = 0;       // s; 0: chosen
  int steps = 1;       // of a repetition
  double damping = 0;  // hours
};

// Throws UserError (refused) where the parameters do not fit each other or the ranks.
Settings settings_of(const tenken::Parameters& parameters, int ranks);

}  // namespace atmosphere
