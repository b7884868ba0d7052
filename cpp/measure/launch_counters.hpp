// The counters of a launch: opened for its timed part, summed over its ranks, written into the header of the record.
#pragma once

#include <mpi.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "measure/record.hpp"
#include "measure/section_counters.hpp"

namespace tenken {

// Of all ranks together.
struct LaunchCounted {
  std::string problem;         // why nothing is counted; then all else is empty
  std::string memory_problem;  // why memory is not
  std::array<bool, counted_events> counts{};
  std::int64_t line_bytes = 64;
  std::int64_t late_threads = 0;  // that started during the timed part
  std::int64_t memory_ranks = 0;  // that counted memory, each the memory of its node
  double ns_per_tick = 1;
  std::vector<CountedSection> sections;
};

class LaunchCounters {
 public:
  ~LaunchCounters() { stop(); }

  // Collective: the first rank of each node counts the node's memory. From now on until stop() samples are counted.
  void start(MPI_Comm comm, int threads, std::size_t cells, PerfSystem& system = perf_system(),
             const Tree& tree = Tree("/"));
  void stop();
  bool wanted() const { return wanted_; }

  // Collective, after stop(); whole on rank 0. The problem is that of the first rank that has any.
  LaunchCounted gathered(MPI_Comm comm, double ns_per_tick) const;

 private:
  bool wanted_ = false;
  std::unique_ptr<SectionCounters> counters_;
  int late_threads_ = 0;
};

// The value of the header's field `counters` (docs/files.md).
void write_counted(Json& json, const LaunchCounted& counted);

// For a program by hand: a line for each section, or the sentence why not.
std::string counted_in_words(const LaunchCounted& counted, const std::vector<LiveSection>& sections, int ranks,
                             int threads);

}  // namespace tenken
