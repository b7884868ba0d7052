#include "base/error.hpp"
#include "measure/check.hpp"
#include "passes.hpp"
#include "planted_calls.hpp"
#include "report.hpp"
#include "this_check.hpp"

namespace {
using namespace tenken;
using namespace metadata;

void require_possible(const Launch& launch) {
  const Settings& settings = launch.settings;
  const Places& places = settings.places;
  const std::string root(launch.check.parameters().text("root"));
  if (places.shared && !launch.folder.shared()) {
    refuse("root " + root + " is another folder on each node, and --folder shared needs a folder that all nodes see; " +
           "name such a folder, or choose --folder own");
  }
  if (settings.stat_by == StatBy::other_node && (launch.folder.nodes() < 2 || !launch.folder.shared())) {
    refuse(
        "--stat_by other_node needs two nodes that see the same root; start it with --nodes 2, or choose --stat_by "
        "other");
  }
  const auto files = static_cast<double>(places.files);
  launch.check.require_memory(files * (512 + static_cast<double>(padded(settings.bytes))), "the files of a rank");
  const auto folders = static_cast<std::int64_t>(places.folders(0).size());
  launch.folder.require_files(places.files + folders, settings.bytes, settings.floor);
}

void body(Check& check) {
  const Settings settings = settings_of(check.parameters(), check.ranks());
  const std::string root(check.parameters().text("root"));
  if (root.empty()) lacking("no folder named: --set root=DIR");
  const std::string fault(check.parameters().text("fault"));
  PlantedCalls system(fault, check.rank() == check.ranks() - 1, settings.places.files);
  storage::WorkFolder folder(check.comm(), system, root);
  const Launch launch{check, system, folder, settings};
  require_possible(launch);
  {
    Passes passes(launch);
    check.repeat([&](int repetition) { passes.pass(repetition >= 0); });
    report(launch, passes);
  }
  folder.finish();
}
}  // namespace

int main(int argc, char** argv) { return run_check(argc, argv, this_check::table, body); }
