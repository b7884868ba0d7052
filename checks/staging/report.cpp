#include "report.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <numeric>

#include "base/median.hpp"
#include "measure/rank_table.hpp"
#include "storage/cache_state.hpp"
#include "this_check.hpp"

namespace staging {

using namespace tenken;
using storage::CacheState;

namespace {

void report_rates(const Launch& launch, const Passes& passes) {
  Check& check = launch.check;
  const std::string name = name_of(launch.settings.variant);
  Table table{"rates", "MB/s", Better::higher, {}, {name}, {}};
  std::vector<double> rates;
  for (const double ns : passes.ns()) {
    table.rows.push_back("repetition " + std::to_string(rates.size()));
    rates.push_back(passes.bytes_of_all() / ns * 1e3);
    table.values.emplace_back(rates.back());
  }
  check.table(table);
  check.value(name, "MB/s", median_of(rates));
  check.value(name + "_best", "MB/s", *std::ranges::max_element(rates));
  check.value(name + "_mean", "MB/s",
              std::accumulate(rates.begin(), rates.end(), 0.0) / static_cast<double>(rates.size()));
  if (launch.settings.variant == Variant::stage_in) {
    check.value("stage_in_files", "op/s", passes.files_of_all() / median_of(passes.ns()) * 1e9);
  }
}

void report_wrong(const Launch& launch, const Passes& passes) {
  const WrongFiles& of = passes.wrong();
  std::vector<double> mine;
  for (const std::int64_t number : {of.files, of.kind, of.owner, of.number, of.at, of.found_launch, of.found_rank,
                                    of.found_number, of.bytes, of.expected_bytes}) {
    mine.push_back(static_cast<double>(number));
  }
  table_of_ranks(launch.check, "wrong_files",
                 {"wrong files", "kind", "owner", "number", "at byte", "found launch", "found rank", "found number",
                  "bytes", "expected bytes"},
                 0, mine);
  launch.check.prove(this_check::validity::files, launch.check.sum_over_ranks(mine[0]));
}

void report_late(const Launch& launch, const Passes& passes) {
  const storage::LateCalls& w = passes.late_writes();
  const storage::LateCalls& r = passes.late_reads();
  const std::vector<double> mine = {w.late + r.late,
                                    w.late,
                                    w.calls,
                                    w.longest_ns * 1e-6,
                                    static_cast<double>(w.longest_at),
                                    r.late,
                                    r.calls,
                                    r.longest_ns * 1e-6,
                                    static_cast<double>(r.longest_at)};
  table_of_ranks(launch.check, "late_calls",
                 {"late", "late writes", "writes", "longest write, ms", "at write", "late reads", "reads",
                  "longest read, ms", "at read"},
                 0, mine);
}

// Bytes that passed the calls of a rank, against those that the kernel counted. Messages between ranks may use the same
// calls, so that more is no fault.
void report_counts(const Launch& launch, const Moved& moved) {
  Check& check = launch.check;
  const bool known = check.max_over_ranks(moved.known ? 0 : 1) == 0;
  check.value("io_counted", "1", known ? 1 : 0);
  if (!known) return;
  const auto lacks = [&](std::int64_t counted, std::int64_t stated) {
    const double share = stated > 0 ? 1 - static_cast<double>(counted) / static_cast<double>(stated) : 0;
    return check.max_over_ranks(std::max(0.0, share));
  };
  check.prove(this_check::validity::counted_writes, lacks(moved.counted.written, moved.written));
  check.prove(this_check::validity::counted_reads, lacks(moved.counted.read, moved.read));
}

std::string described(const storage::FileSystem& system) {
  return system.name + (system.kind == storage::FileSystemKind::memory ? " (in memory, no disk)" : "");
}

bool same_file_system(const Launch& launch) {
  struct stat global {
  }, local{};
  return launch.system.status(launch.global.descriptor(), global) == 0 &&
         launch.system.status(launch.local.descriptor(), local) == 0 && global.st_dev == local.st_dev;
}

// The state of the cache in reads. Without a count of the bytes from a device nothing shows it.
storage::Label label_of(const Launch& launch, const Passes& passes) {
  const storage::FileSystem system = storage::file_system_below(launch.system, passes.read_from());
  storage::ReadFacts facts{.asked = launch.settings.cache, .system = system};
  facts.resident = passes.resident();
  facts.from_device = passes.from_device();
  const storage::Label label = storage::label_of(facts);
  const bool of_device = label.state != CacheState::cached && label.state != CacheState::memory;
  if (of_device && label.state != CacheState::unknown && storage::compared_with_direct(facts)) {
    return {CacheState::unknown, "there is no direct read to compare with"};
  }
  return label;
}

std::string reads_row(const Launch& launch, const Passes& passes) {
  const storage::Label label = label_of(launch, passes);
  launch.check.chosen("cache_state", "1", static_cast<double>(label.state));
  std::string row = ", cache state of reads " + std::string(storage::name_of(label.state));
  if (label.state != launch.settings.cache)
    row += " instead of " + std::string(storage::name_of(launch.settings.cache));
  if (!label.why.empty()) row += ": " + label.why;
  return row;
}

std::string work_row(const Launch& launch) {
  const Settings& settings = launch.settings;
  if (settings.variant == Variant::checkpoint) return "a state of each rank, written, renamed";
  if (settings.variant == Variant::stage_out) {
    return settings.one_file ? "results of all ranks into one file" : "a result of each rank into a file";
  }
  if (settings.source == Source::own) return "a tree of each rank";
  return settings.source == Source::broadcast ? "one tree, read by rank 0 and broadcast"
                                              : "one tree, read by every rank";
}

void report_row(const Launch& launch, const Passes& passes) {
  Check& check = launch.check;
  const Settings& settings = launch.settings;
  const std::string global = described(storage::file_system_below(launch.system, launch.global.descriptor()));
  const std::string local = described(storage::file_system_below(launch.system, launch.local.descriptor()));
  std::string row = work_row(launch);
  if (settings.variant == Variant::checkpoint) {
    row += "; file system " + local;
  } else {
    const bool in = settings.variant == Variant::stage_in;
    row += "; from " + (in ? global : local) + reads_row(launch, passes) + "; to " + (in ? local : global);
    if (same_file_system(launch)) row += ", which is the same file system";
  }
  if (!settings.sync) row += "; writes end in the page cache, without fsync";
  const double removed = launch.global.earlier().removed + launch.local.earlier().removed;
  const double left = launch.global.earlier().left + launch.global.earlier().other_hosts + launch.local.earlier().left +
                      launch.local.earlier().other_hosts;
  check.value("earlier_launches_removed", "1", check.sum_over_ranks(removed));
  const double all_left = check.sum_over_ranks(left);
  if (all_left > 0) row += "; " + std::to_string(static_cast<int>(all_left)) + " folders of other launches are left";
  Table table{"staged", "1", Better::higher, {row}, {"files of all ranks", "bytes of all ranks"}, {}};
  table.values = {passes.files_of_all(), passes.bytes_of_all()};
  check.table(table);
}

}  // namespace

void report(const Launch& launch, const Passes& passes) {
  report_rates(launch, passes);
  report_wrong(launch, passes);
  report_counts(launch, passes.moved());
  report_row(launch, passes);
  report_late(launch, passes);
}

}  // namespace staging
