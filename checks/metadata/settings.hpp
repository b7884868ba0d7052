// A launch by its parameters.
#pragma once

#include <cstdint>

#include "base/parameters.hpp"
#include "places.hpp"

namespace metadata {

enum class StatBy { other, self, other_node };

struct Settings {
  Places places;
  std::int64_t bytes = 0;  // of a file
  StatBy stat_by = StatBy::other;
  bool sync = true;
  std::int64_t floor = 0;
};

// Throws UserError (refused) where the parameters do not fit each other.
Settings settings_of(const tenken::Parameters& parameters, int ranks);

}  // namespace metadata
