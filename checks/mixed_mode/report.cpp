#include "report.hpp"

#include "base/median.hpp"
#include "measure/rank_table.hpp"
#include "this_check.hpp"

namespace mixed_mode {

using namespace tenken;

namespace {

void report_wrong(Check& check, const WrongWords& wrong) {
  std::vector<double> mine;
  for (const std::int64_t number :
       {wrong.shares, wrong.mode, wrong.thread, wrong.from_rank, wrong.place, wrong.of_thread, wrong.late}) {
    mine.push_back(static_cast<double>(number));
  }
  table_of_ranks(check, "wrong_shares",
                 {"wrong shares", "mode", "thread", "from rank", "word", "share of thread", "late exchanges"}, 0, mine);
  check.prove(this_check::validity::shares, check.sum_over_ranks(mine[0]));
}

// A column for each thread: its median delay in us after the first thread of the rank.
void report_entries(Check& check, const Samples& samples) {
  const std::vector<double> late = samples.late_us();
  std::vector<double> mine = {static_cast<double>(late.size())};
  std::vector<std::string> columns = {"threads"};
  for (std::size_t t = 0; t < late.size(); ++t) {
    mine.push_back(late[t]);
    columns.push_back("thread " + std::to_string(t) + ", us after the first");
  }
  if (check.max_over_ranks(mine[0]) > 1) table_of_ranks(check, "thread_entries", columns, 0, mine);
}

}  // namespace

void report(Check& check, const Modes::Options& options, const Samples& samples) {
  const double ways = options.pattern == Pattern::pingpong ? 2 : 1;  // there and back
  Table times{"mode_times", "us", Better::lower, {}, {}, {}};
  double master_us = 0;
  for (int i = 0; i < modes; ++i) {
    const auto mode = static_cast<Mode>(i);
    if (!samples.measured(mode)) continue;
    const double us = median_of(samples.ns(mode)) / ways * 1e-3;
    const std::string name = name_of(mode);
    if (mode == Mode::master_only) master_us = us;
    check.value(name + "_us", "us", us);
    if (mode != Mode::master_only) check.value(name + "_over_master_only", "1", us / master_us);
    times.columns.push_back(name);
    times.values.emplace_back(us);
  }
  const auto bytes = static_cast<std::int64_t>(8 * options.words);
  times.rows.push_back(std::to_string(bytes) + " bytes from " + std::to_string(check.threads()) + " threads");
  check.table(times);
  check.value("region_us", "us", check.max_over_ranks(median_of(samples.region_ns())) * 1e-3);
  check.value("touch_us", "us", check.max_over_ranks(median_of(samples.touch_ns())) * 1e-3);
  check.value("message_bytes", "B", static_cast<double>(bytes));
  check.value("cores_shared", "1", check.max_over_ranks(check.oversubscribed() ? 1 : 0));
  report_entries(check, samples);
  report_wrong(check, samples.wrong());
}

}  // namespace mixed_mode
