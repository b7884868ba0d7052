#include <string>

#include "base/error.hpp"
#include "measure/check.hpp"
#include "report.hpp"
#include "samples.hpp"
#include "this_check.hpp"

namespace {
using namespace tenken;
using namespace halo_paths;

Settings settings_of(const Parameters& parameters) {
  Settings settings{.n = parameters.integer("n"),
                    .face = face_from(parameters.text("face")),
                    .samples = static_cast<int>(parameters.integer("samples"))};
  const std::string second(parameters.text("second"));
  if (second == "none") return settings;
  if (settings.n <= 2 * apart) {
    refuse("--n " + std::to_string(settings.n) + " leaves no plane xz apart from plane xy; choose --n 5 or larger");
  }
  if (settings.face != Face::xy) refuse("--second exchanges plane xz together with plane xy; choose --face xy");
  settings.second = tenken::route_kind_from(second);
  return settings;
}

void body(Check& check) {
  const Settings settings = settings_of(check.parameters());
  const auto cube = static_cast<double>(settings.n * settings.n * settings.n);
  const auto planes = static_cast<double>(settings.n * settings.n) * (settings.second ? 16 : 4);
  check.require_memory(8 * (cube + planes), "a cube and its packed planes");
  const RouteFile file(check, std::string(check.parameters().text("save_routes")));
  Cubes cubes(check.comm(), settings.n);
  Samples samples(check, cubes, settings);
  check.repeat([&](int repetition) { samples.pass(repetition >= 0); });
  report(check, cubes, settings, samples, file);
}
}  // namespace

int main(int argc, char** argv) { return run_check(argc, argv, this_check::table, body); }
