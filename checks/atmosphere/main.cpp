#include "dry_run.hpp"
#include "measure/check.hpp"
#include "run.hpp"
#include "this_check.hpp"

namespace {
using namespace tenken;
using namespace atmosphere;

template <class Model>
void launch(Check& check, const Settings& settings) {
  Model run(check, settings);
  check.repeat([&](int) { run.pass(); });
  run.report();
}

void body(Check& check) {
  const Settings settings = settings_of(check.parameters(), check.ranks());
  if (!settings.dry) return launch<Run>(check, settings);
  if (check.variant() == "plain") return launch<DryRun<Order::by_level>>(check, settings);
  launch<DryRun<Order::by_column>>(check, settings);
}
}  // namespace

int main(int argc, char** argv) { return run_check(argc, argv, this_check::table, body); }
