#include "settings.hpp"

#include <string>

#include "base/error.hpp"
#include "parallel/rank_grid.hpp"

namespace les {

using namespace tenken;

Settings settings_of(const Parameters& parameters, int ranks) {
  Settings settings;
  settings.flow = {kind_of(parameters.text("flow")), 1 / parameters.real("reynolds")};
  const Cells cells = index3(parameters, "cells");
  settings.box = box_of(settings.flow.kind, cells, parameters.real("stretch"), parameters.real("distortion"));
  const std::string& order = parameters.text("order");
  settings.order = order == "random" ? Order::random : order == "rcm" ? Order::rcm : Order::natural;
  settings.single = parameters.text("precision") == "single";
  const double tolerance = parameters.real("tolerance");
  const bool merged = parameters.flag("merged");
  settings.rules = {{static_cast<int>(parameters.integer("momentum_iterations")), tolerance, merged},
                    {static_cast<int>(parameters.integer("iterations")), tolerance, merged},
                    parameters.real("smagorinsky")};
  settings.dt = parameters.real("step");
  settings.steps = static_cast<int>(parameters.integer("steps"));
  settings.seed = static_cast<std::uint64_t>(parameters.integer("seed"));
  for (std::size_t d = 0; d < 3; ++d) {
    const bool thin = cells[d] < 2;
    if (thin && (!settings.box.periodic[d] || (d < 2 || settings.flow.kind == Kind::taylor_green_3d))) {
      refuse("--cells " + listed(cells) + " has fewer than two elements in direction " + std::string(1, "xyz"[d]) +
             "; flow " + parameters.text("flow") + " needs two");
    }
  }
  for (int rank = 0; rank < ranks; ++rank) block_of(settings.box, rank, ranks);  // every rank has elements
  return settings;
}

}  // namespace les
