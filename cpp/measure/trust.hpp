// Counters that say whether the timed part met other load. nullopt where the system does not tell.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "base/tree.hpp"
#include "measure/placement.hpp"

namespace tenken {

using Count = std::optional<std::int64_t>;

// All counters at one moment. Vectors follow the threads or processors of the placement.
struct TrustSnapshot {
  std::int64_t wall_ns = 0;
  Count cpu_ns;
  std::vector<Count> run_queue_wait_ns;  // of each OpenMP thread
  std::vector<Count> steal_ns;           // of each processor of the rank
  Count throttled_ns;
  Count involuntary_switches;
  Count major_faults;
  std::vector<int> processors;  // where each thread ran
};

TrustSnapshot trust_now(const Placement& placement, int threads, const Tree& tree = Tree("/"));

// Differences over the timed part; of threads and processors the worst.
struct Trust {
  std::int64_t wall_ns = 0;
  Count cpu_ns, run_queue_wait_ns, steal_ns, throttled_ns, migrations, involuntary_switches, major_faults;
};

Trust between(const TrustSnapshot& begin, const TrustSnapshot& end, const Placement& placement);

}  // namespace tenken
