// A loop of 10^8 additions is counted within 0.1 %, where the system permits counters; else skipped with the reason.
#include <cmath>
#include <cstdio>

#include "measure/perf_counters.hpp"

int main() {
  using namespace tenken;
  constexpr int skipped = 77;
  constexpr std::int64_t additions = 100'000'000;
  const Tree tree("/");
  std::string reason = trial_of_counters(perf_system(), tree);
  if (reason.empty() && add_times(10) == 0) reason = "the loop of known length is not written for this processor";
  if (!reason.empty()) {
    std::printf("skipped: %s\n", reason.c_str());
    return skipped;
  }
  std::vector<PerfEvent> events;
  for (const CoreEvent& one : offered_events(perf_system(), core_events(tree)).events) events.push_back(one.event);
  const CounterGroup group(perf_system(), events, {});
  const GroupReading before = group.read();
  const std::int64_t expected = add_times(additions);
  const auto counted = counted_between(before, group.read());
  if (!counted) {
    std::printf("skipped: the group was not on the counters all the time; another program uses them\n");
    return skipped;
  }
  const double ratio = static_cast<double>(counted->counts[0]) / static_cast<double>(expected);
  std::printf("%lld instructions counted of %lld, ratio %.6f\n", static_cast<long long>(counted->counts[0]),
              static_cast<long long>(expected), ratio);
  return std::abs(ratio - 1) <= 0.001 ? 0 : 1;
}
