#include "report.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "base/median.hpp"
#include "measure/rank_table.hpp"
#include "this_check.hpp"

namespace io_throughput {

using namespace tenken;
using storage::CacheState;

namespace {

// The rates of all ranks together, in MB/s, of median, best and mean repetition. The mean is that of the rates, as IOR
// prints.
std::vector<double> report_rates(Check& check, const std::string& name, double bytes, const std::vector<double>& ns) {
  std::vector<double> rates;
  for (const double one : ns) rates.push_back(bytes / one * 1e3);
  check.value(name, "MB/s", median_of(rates));
  check.value(name + "_best", "MB/s", *std::max_element(rates.begin(), rates.end()));
  check.value(name + "_mean", "MB/s",
              std::accumulate(rates.begin(), rates.end(), 0.0) / static_cast<double>(rates.size()));
  return rates;
}

void report_repetitions(Check& check, const std::vector<double>& written, const std::vector<double>& read) {
  Table table{"rates_with_open_and_close", "MB/s", Better::higher, {}, {"write", "read"}, {}};
  for (std::size_t i = 0; i < written.size(); ++i) {
    table.rows.push_back("repetition " + std::to_string(i));
    table.values.insert(table.values.end(), {written[i], read[i]});
  }
  check.table(table);
}

void report_late(const Launch& launch, const Passes& passes) {
  const storage::LateCalls& w = passes.writes().late();
  const storage::LateCalls& r = passes.reads().late();
  const std::vector<double> mine = {w.late + r.late,
                                    w.late,
                                    w.calls,
                                    w.longest_ns * 1e-6,
                                    static_cast<double>(w.longest_at),
                                    r.late,
                                    r.calls,
                                    r.longest_ns * 1e-6,
                                    static_cast<double>(r.longest_at),
                                    static_cast<double>(passes.source())};
  table_of_ranks(launch.check, "late_calls",
                 {"late", "late writes", "writes", "longest write, ms", "at byte", "late reads", "reads",
                  "longest read, ms", "at byte of the read file", "writer of the read file"},
                 0, mine);
}

void report_wrong(const Launch& launch, const WrongData& wrong) {
  const std::vector<double> mine = {static_cast<double>(wrong.words),         static_cast<double>(wrong.kind),
                                    static_cast<double>(wrong.writer),        static_cast<double>(wrong.at),
                                    static_cast<double>(wrong.found_launch),  static_cast<double>(wrong.found_rank),
                                    static_cast<double>(wrong.found_at),      static_cast<double>(wrong.file_bytes),
                                    static_cast<double>(wrong.expected_bytes)};
  table_of_ranks(launch.check, "wrong_data",
                 {"wrong words", "kind", "writer", "at byte", "found launch", "found rank", "found byte", "file bytes",
                  "expected bytes"},
                 0, mine);
  launch.check.prove(this_check::validity::data, launch.check.sum_over_ranks(mine[0]));
}

// Bytes as counted by the kernel over those of the case, summed over ranks; of POSIX the rank that is furthest off.
double off(const Launch& launch, double counted, double stated) {
  const Check& check = launch.check;
  if (!launch.settings.mpi_io) return check.max_over_ranks(std::abs(counted / stated - 1));
  const double all = check.sum_over_ranks(counted) / check.sum_over_ranks(stated);
  return std::max(0.0, 1 - all);
}

void report_counts(const Launch& launch, const Counted& counted) {
  Check& check = launch.check;
  const double stated = static_cast<double>(launch.settings.places.bytes) * static_cast<double>(counted.passes);
  const bool known = check.max_over_ranks(counted.known ? 0 : 1) == 0;
  check.value("io_counted", "1", known ? 1 : 0);
  if (!known) return;
  const auto ratio = [&](std::int64_t bytes) {
    return check.sum_over_ranks(static_cast<double>(bytes)) / check.sum_over_ranks(stated);
  };
  check.value("write_amplification", "1", ratio(counted.write.written));
  check.value("read_amplification", "1", ratio(counted.read.read));
  check.value("to_device_share", "1", ratio(counted.write.to_device));
  check.value("from_device_share", "1", ratio(counted.read.from_device));
  check.prove(this_check::validity::counted_writes, off(launch, static_cast<double>(counted.write.written), stated));
  check.prove(this_check::validity::counted_reads, off(launch, static_cast<double>(counted.read.read), stated));
}

storage::ReadFacts facts_of(const Launch& launch, const Passes& passes, const storage::FileSystem& system) {
  const Check& check = launch.check;
  const Counted& counted = passes.counted();
  storage::ReadFacts facts{.asked = launch.settings.cache, .system = system};
  if (check.max_over_ranks(passes.resident() ? 0 : 1) == 0) facts.resident = check.max_over_ranks(*passes.resident());
  if (check.max_over_ranks(counted.known ? 0 : 1) == 0) facts.from_device = passes.least_from_device();
  return facts;
}

bool shares_run_folder(const Launch& launch) {
  const std::filesystem::path record = launch.check.parameters().text("record");
  struct stat there {
  }, here{};
  return !record.empty() && stat(record.parent_path().c_str(), &there) == 0 &&
         launch.system.status(launch.folder.descriptor(), here) == 0 && there.st_dev == here.st_dev;
}

// The state of the cache in reads, and the proof that no cache was read where a device was asked for.
void report_cache(const Launch& launch, const Passes& passes) {
  Check& check = launch.check;
  const storage::FileSystem system = storage::file_system_below(launch.system, launch.folder.descriptor());
  const storage::ReadFacts facts = facts_of(launch, passes, system);
  storage::Label label = storage::label_of(facts);
  std::optional<double> direct_ns;  // of the fastest direct reads
  const bool in_cache = label.state == CacheState::cached || label.state == CacheState::memory;
  if (!in_cache && label.state != CacheState::unknown) {
    if (!passes.direct_ns().empty()) direct_ns = *std::ranges::min_element(passes.direct_ns());
    if (!direct_ns) label = {CacheState::unknown, "there is no direct read to compare with"};
  }
  check.value("direct_decides", "1", direct_ns && storage::compared_with_direct(facts) ? 1 : 0);
  if (direct_ns) {
    const double bytes = static_cast<double>(launch.settings.places.bytes) * check.ranks();
    check.value("direct_read", "MB/s", bytes / *direct_ns * 1e3);
    const double ratio = *direct_ns / *std::ranges::max_element(passes.read_ns());
    check.value("read_over_direct", "1", ratio);
    if (storage::compared_with_direct(facts)) check.prove(this_check::validity::read_over_direct, ratio);
  }
  check.chosen("cache_state", "1", static_cast<double>(label.state));
  Table table{"cache_state", "%", Better::lower, {}, {"in the page cache before the read", "from a device"}, {}};
  std::string row = system.name + ", cache state of reads " + std::string(name_of(label.state));
  if (label.state != facts.asked) row += " instead of " + std::string(name_of(facts.asked));
  if (!label.why.empty()) row += ": " + label.why;
  if (!launch.settings.sync) row += "; writes end in the page cache, without fsync";
  const storage::Earlier& earlier = launch.folder.earlier();
  const double left = check.sum_over_ranks(earlier.left + earlier.other_hosts);
  check.value("earlier_launches_removed", "1", check.sum_over_ranks(earlier.removed));
  check.value("earlier_launches_left", "1", left);
  if (left > 0) row += "; folders of earlier launches that stay: " + std::to_string(static_cast<int>(left));
  if (shares_run_folder(launch)) row += "; the records lie on the same file system, written outside of timing";
  table.rows.push_back(row);
  const auto percent = [](std::optional<double> share) { return share ? std::optional(100 * *share) : std::nullopt; };
  table.values = {percent(facts.resident), percent(facts.from_device)};
  check.table(table);
}

}  // namespace

void report(const Launch& launch, Passes& passes) {
  Check& check = launch.check;
  const Places& places = launch.settings.places;
  const std::vector<int>& node = launch.folder.node();
  if (node.size() == 1 && check.ranks() > 1 && launch.folder.shared())
    passes.verify((check.rank() + 1) % check.ranks());
  const std::string prefix = launch.settings.mpi_io ? "mpiio_" : "posix_";
  const double bytes = static_cast<double>(places.bytes) * check.ranks();
  const auto written = report_rates(check, prefix + "write", bytes, passes.write_ns());
  const auto read = report_rates(check, prefix + "read", bytes, passes.read_ns());
  report_repetitions(check, written, read);
  report_wrong(launch, passes.wrong());
  report_counts(launch, passes.counted());
  report_cache(launch, passes);
  report_late(launch, passes);
  if (launch.settings.direct() && launch.alignment) {
    check.value("bytes_without_direct", "B", static_cast<double>(places.bytes % launch.alignment->offset));
    check.value("direct_alignment", "B", static_cast<double>(launch.alignment->offset));
  }
}

}  // namespace io_throughput
