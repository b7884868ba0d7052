// The header line of a record: what ran, how it was built, with which clock and sections.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/parameters.hpp"
#include "base/table.hpp"
#include "measure/clock.hpp"
#include "measure/launch_counters.hpp"
#include "measure/record.hpp"

namespace tenken {

struct HeaderFacts {
  const CheckTable& table;
  const Parameters& parameters;
  const Clock& clock;
  const std::vector<LiveSection>& sections;
  std::span<const bool> single;                                       // by section: its flop are in single precision
  const std::vector<std::pair<std::string, std::string>>& libraries;  // role, name and version
  int ranks;
  int threads;
  double timer_overhead_ns;
  const std::string& started;              // ISO 8601, UTC
  int repetitions_planned;                 // of the timed part
  int repetitions_run;                     // fewer where the group ended by time
  bool all_samples = true;                 // of all ranks are in the record: without summaries older readers know it
  const LaunchCounted* counted = nullptr;  // null: no counters were wanted
};

std::string header_line(const HeaderFacts& facts);

std::string utc_now();  // "2026-11-26T08:00:00Z"

}  // namespace tenken
