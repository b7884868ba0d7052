#include "base/error.hpp"
#include "measure/check.hpp"
#include "passes.hpp"
#include "report.hpp"
#include "start.hpp"
#include "this_check.hpp"

namespace {
using namespace tenken;
using namespace io_throughput;

void body(Check& check) {
  const Settings settings = settings_of(check.parameters(), check.rank(), check.ranks());
  const std::string root = check.parameters().text("root");
  if (root.empty()) lacking("no folder named: --set root=DIR");
  const auto system = calls_of(check, settings);
  storage::WorkFolder folder(check.comm(), *system, root);
  const std::int64_t buffer = buffer_bytes(check, settings, folder);
  require_possible(check, settings, folder, buffer);
  const Launch launch{check, *system, folder, settings, buffer, alignment_of(check, settings, *system, folder)};
  {
    Passes passes(launch);
    check.repeat([&](int repetition) { passes.pass(repetition >= 0); });
    report(launch, passes);
  }
  folder.finish();
}
}  // namespace

int main(int argc, char** argv) { return run_check(argc, argv, this_check::table, body); }
