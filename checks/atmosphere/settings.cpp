#include "settings.hpp"

#include <numbers>
#include <string>

#include "base/error.hpp"

namespace atmosphere {

using namespace tenken;

Settings settings_of(const Parameters& parameters, int ranks) {
  Settings settings;
  settings.regions = {static_cast<int>(parameters.integer("level")), static_cast<int>(parameters.integer("regions"))};
  settings.springs = parameters.flag("springs");
  settings.dry = parameters.text("model") == "hevi";
  settings.levels = static_cast<int>(parameters.integer("levels"));
  settings.small_steps = static_cast<int>(parameters.integer("small_steps"));
  const std::string_view dry = parameters.text("dry");
  settings.dry_case = DryCase(dry == "rest"           ? DryCase::rest
                              : dry == "gravity_wave" ? DryCase::gravity_wave
                              : dry == "balanced"     ? DryCase::balanced
                                                      : DryCase::baroclinic_wave);
  settings.which = static_cast<Case>(std::stoi(std::string(parameters.text("williamson"))));
  settings.tilt = parameters.real("tilt") * std::numbers::pi / 180;
  settings.limiter = parameters.flag("limiter");
  settings.dt = parameters.real("step");
  settings.steps = static_cast<int>(parameters.integer("steps"));
  settings.damping = parameters.real("damping");
  if (!settings.dry && parameters.text("variant") == "plain") {
    refuse("--variant plain is of --model hevi: shallow water has one level; choose --variant blocked");
  }
  if (settings.small_steps < 6 || settings.small_steps % 6 != 0) {
    refuse("--small_steps " + std::to_string(settings.small_steps) +
           " cannot be divided among the three stages (a third, half, all); choose 6 or a multiple of it");
  }
  const Regions& regions = settings.regions;
  if (regions.level > regions.grid_level) {
    refuse("--regions " + std::to_string(regions.level) + " is above --level " + std::to_string(regions.grid_level) +
           ": a region has one cell at least; choose --regions " + std::to_string(regions.grid_level) + " or less");
  }
  if (ranks > regions.count()) {
    Regions enough = regions;
    while (enough.count() < ranks) ++enough.level;
    refuse(std::to_string(ranks) + " ranks are more than the " + std::to_string(regions.count()) +
           " regions of --regions " + std::to_string(regions.level) + "; choose --regions " +
           std::to_string(enough.level) + " (" + std::to_string(enough.count()) + " regions), or fewer ranks");
  }
  return settings;
}

}  // namespace atmosphere
