#include "report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/median.hpp"
#include "measure/rank_table.hpp"
#include "storage/cache_state.hpp"
#include "this_check.hpp"

namespace metadata {

using namespace tenken;

namespace {

void report_rates(const Launch& launch, const Passes& passes) {
  Check& check = launch.check;
  const Places& places = launch.settings.places;
  const double files = static_cast<double>(places.files) * places.ranks;
  Table table{"operations_per_second", "op/s", Better::higher, {}, {}, {}};
  std::array<std::vector<double>, phases> rates;
  for (int i = 0; i < phases; ++i) {
    const auto phase = static_cast<Phase>(i);
    std::vector<double>& of = rates[static_cast<std::size_t>(i)];
    for (const double ns : passes.ns(phase)) of.push_back(files / ns * 1e9);
    const std::string name = (places.shared ? "shared_" : "own_") + std::string(name_of(phase));
    check.value(name, "op/s", median_of(of));
    check.value(name + "_mean", "op/s", std::accumulate(of.begin(), of.end(), 0.0) / static_cast<double>(of.size()));
    check.value(name + "_least", "op/s", *std::ranges::min_element(of));
    table.columns.emplace_back(name_of(phase));
  }
  for (std::size_t pass = 0; pass < rates[0].size(); ++pass) {
    table.rows.push_back("repetition " + std::to_string(pass));
    for (const std::vector<double>& of : rates) table.values.push_back(of[pass]);
  }
  check.table(table);
}

void report_wrong(const Launch& launch, const Passes& passes) {
  Check& check = launch.check;
  const WrongFiles& of = passes.wrong();
  std::vector<double> mine;
  for (const std::int64_t number : {of.files, of.kind, of.phase, of.writer, of.file, of.at, of.found_launch,
                                    of.found_rank, of.found_file, of.bytes, of.expected_bytes}) {
    mine.push_back(static_cast<double>(number));
  }
  table_of_ranks(check, "wrong_files",
                 {"wrong files", "kind", "phase", "writer", "file", "at byte", "found launch", "found rank",
                  "found file", "bytes", "expected bytes"},
                 0, mine);
  check.prove(this_check::validity::files, check.sum_over_ranks(mine[0]));
  check.prove(this_check::validity::listed, std::abs(passes.listed_too_many()));
}

void report_late(const Launch& launch, const Passes& passes) {
  std::vector<double> mine = {0};
  std::vector<std::string> columns = {"late"};
  for (int i = 0; i < phases; ++i) {
    const auto phase = static_cast<Phase>(i);
    const storage::LateCalls& of = passes.late(phase);
    mine[0] += of.late;
    mine.insert(mine.end(), {of.late, of.calls, of.longest_ns * 1e-6, static_cast<double>(of.longest_at)});
    const std::string name = name_of(phase);
    for (const char* what : {" late", " operations", " longest, ms", " longest, file"}) columns.push_back(name + what);
  }
  mine.push_back(static_cast<double>(passes.source()));
  columns.emplace_back("writer of the read files");
  table_of_ranks(launch.check, "late_operations", columns, 0, mine);
}

// The file system, the files, and where the entries lie that are asked for.
void report_entries(const Launch& launch) {
  Check& check = launch.check;
  const Settings& settings = launch.settings;
  const Places& places = settings.places;
  const storage::FileSystem system = storage::file_system_below(launch.system, launch.folder.descriptor());
  const bool memory = system.kind == storage::FileSystemKind::memory;
  const bool cached = settings.stat_by != StatBy::other_node || memory;
  std::string row = system.name + ", " + std::to_string(places.files) + " files of " + std::to_string(settings.bytes) +
                    " bytes a rank in " + (places.shared ? "a shared folder" : "a folder of each rank") +
                    (places.depth > 0 ? ", " + std::to_string(places.depth) + " levels deep" : "");
  if (memory) row += "; the file system lies in memory and is no disk";
  if (!memory && cached) row += "; stat and read may find entries in the cache of the node that made the files";
  if (!cached) row += "; stat and read ask for entries that another node made";
  const storage::Earlier& earlier = launch.folder.earlier();
  const double left = check.sum_over_ranks(earlier.left + earlier.other_hosts);
  if (left > 0) row += "; " + std::to_string(static_cast<int>(left)) + " folders of other launches are left";
  check.chosen("entries_in_cache", "1", cached ? 1 : 0);
  check.value("earlier_launches_removed", "1", check.sum_over_ranks(earlier.removed));
  Table table{"entries", "1", Better::higher, {row}, {"files of all ranks"}, {}};
  table.values.push_back(static_cast<double>(places.files) * places.ranks);
  check.table(table);
}

}  // namespace

void report(const Launch& launch, const Passes& passes) {
  report_rates(launch, passes);
  report_wrong(launch, passes);
  report_late(launch, passes);
  report_entries(launch);
}

}  // namespace metadata
