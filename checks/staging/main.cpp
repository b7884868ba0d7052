#include "base/error.hpp"
#include "measure/check.hpp"
#include "passes.hpp"
#include "planted_calls.hpp"
#include "report.hpp"
#include "start.hpp"
#include "this_check.hpp"

namespace {
using namespace tenken;
using namespace staging;

void body(Check& check) {
  Settings settings = settings_of(check.parameters(), check.ranks());
  const std::string root(check.parameters().text("root"));
  if (root.empty()) lacking("no folder named: --set root=DIR");
  const std::string local_root(check.parameters().text("local"));
  const Sizes sizes = sizes_of(settings, check.rank());
  std::int64_t bytes = 0;
  for (const std::int64_t one : sizes.local) bytes += one;
  PlantedCalls system(std::string(check.parameters().text("fault")), check.rank() == check.ranks() - 1, bytes / 2);
  storage::WorkFolder global(check.comm(), system, root);
  storage::WorkFolder local(check.comm(), system, local_root.empty() ? root : local_root);
  fit_names(check, settings, system, global, local);
  require_possible(check, settings, system, global, local);
  const Launch launch{check, system, global, local, settings};
  {
    const auto passes = passes_of(launch);
    check.repeat([&](int repetition) { passes->pass(repetition >= 0); });
    report(launch, *passes);
  }
  local.finish();
  global.finish();
}
}  // namespace

int main(int argc, char** argv) { return run_check(argc, argv, this_check::table, body); }
