#include <string>

#include "base/error.hpp"
#include "cores.hpp"
#include "measure/check.hpp"
#include "this_check.hpp"

namespace {
using namespace tenken;

void body(Check& check) {
  if (check.ranks() != 1) refuse("noise runs as one rank with a thread on each core; set --ranks 1");
  const Parameters& p = check.parameters();
  noise::Planted planted;
  if (check.fault("detour_100hz")) planted = {10000, 50};
  const auto quantum = static_cast<double>(p.integer("quantum_us"));
  noise::Cores cores(check.threads(), quantum, p.real("least_us"), planted);
  bool timed = false;
  check.repeat([&](int repetition) {
    if (repetition >= 0 && !timed) cores.forget();
    timed = repetition >= 0;
    {
      Section s{this_check::section::quanta, 0, {}, cores.quanta()};
      cores.batch();
    }
    cores.take_over();
  });
  check.prove(this_check::validity::answers, static_cast<double>(cores.wrong()));
  check.value("quantum_us", "us", cores.quantum_us());
  check.value("lost_share", "1", cores.lost_share());
  check.value("detours_per_s", "Hz", cores.detours_per_second());
  for (const auto& core : cores.periods()) {
    int number = 0;
    for (const noise::Period& period : core.periods) {
      const std::string name = "periodic/" + std::to_string(core.cpu) + "/" + std::to_string(number++);
      check.value(name + "/frequency", "Hz", period.hertz);
      check.value(name + "/length", "us", period.length);
    }
  }
  check.table(cores.rates());
  check.table(cores.shares());
}
}  // namespace

int main(int argc, char** argv) { return run_check(argc, argv, this_check::table, body); }
