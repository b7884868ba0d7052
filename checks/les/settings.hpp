// A launch by its parameters.
#pragma once

#include "base/parameters.hpp"
#include "flow.hpp"
#include "step.hpp"

namespace les {

struct Settings {
  Flow flow{};
  Box box{};
  Order order = Order::natural;
  bool single = true;
  Rules rules{};
  double dt = 0;  // 0: chosen
  int steps = 1;  // of a repetition
  std::uint64_t seed = 1;
};

// Throws UserError (refused) where the parameters do not fit each other or the ranks.
Settings settings_of(const tenken::Parameters& parameters, int ranks);

}  // namespace les
