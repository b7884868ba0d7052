#include <omp.h>
#include <sched.h>

#include <string>
#include <vector>

#include "base/error.hpp"
#include "measure/check.hpp"
#include "meeting.hpp"
#include "numerics/round_trip.hpp"
#include "pairs.hpp"
#include "places.hpp"
#include "this_check.hpp"

namespace {
using namespace tenken;
using namespace core_pingpong;

void body(Check& check) {
  if (check.ranks() != 1) refuse("core_pingpong runs as one rank with a thread on each core; set --ranks 1");
  if (check.threads() < 2) lacking("core_pingpong needs two cores at least, and has one here");
  if (check.oversubscribed()) refuse("core_pingpong needs a core for each thread; choose fewer threads");
  const int team = check.threads();
  const int trips = static_cast<int>(check.parameters().integer("trips"));
  const std::vector<int> threads = taking_part(team, static_cast<int>(check.parameters().integer("most_cores")));
  const std::vector<Pair> pairs = all_pairs(threads);
  std::vector<int> cpus(static_cast<std::size_t>(team));
#pragma omp parallel num_threads(team)
  cpus[static_cast<std::size_t>(omp_get_thread_num())] = sched_getcpu();

  ScatteredRoundTrips lines;
  Samples sequence(pairs.size());
  Samples capture(pairs.size());
  std::int64_t wrong = 0;
  const Work work{.messages = 2 * trips};
  check.repeat([&](int repetition) {
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      RoundTrips& here = lines.at(repetition + 1 + static_cast<std::int64_t>(p));
      const bool slow = check.fault("slow_pair") && pairs[p].first == threads[0] && pairs[p].second == threads[1];
      const auto sample = [&](Leaf section, Way way, Samples& samples) {
        double ns = 0;
        {
          Section s{section, 0, work, trips};
          ns = meet(here, way, pairs[p], team, trips, slow ? 2 : 1, wrong);
        }
        if (repetition >= 0) samples.add(p, ns);
      };
      sample(this_check::section::sequence, &RoundTrips::by_sequence, sequence);
      sample(this_check::section::capture, &RoundTrips::by_capture, capture);
    }
  });
  check.prove(this_check::validity::messages, static_cast<double>(wrong));

  std::vector<std::string> labels;
  const Tree system("/");
  for (const int thread : threads) labels.push_back(place_of(system, cpus[static_cast<std::size_t>(thread)]));
  std::vector<double> medians, best, by_capture;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    medians.push_back(sequence.median(p));
    best.push_back(sequence.best(p));
    by_capture.push_back(capture.median(p));
  }
  check.table(table_of("sequence", labels, threads, pairs, medians));
  check.table(table_of("sequence_best", labels, threads, pairs, best));
  check.table(table_of("capture", labels, threads, pairs, by_capture));
  check.value("sequence_ns", "ns", sequence.median_of_pairs(false));
  check.value("sequence_best_ns", "ns", sequence.median_of_pairs(true));
  check.value("capture_ns", "ns", capture.median_of_pairs(false));
  // By which launches of another mode of a virtual machine are known, as where other checks probe two cores.
  check.value("core_round_trip_before", "ns", sequence.median_of_pairs(false));
  check.value("cores_taking_part", "1", static_cast<double>(threads.size()));
}
}  // namespace

int main(int argc, char** argv) { return run_check(argc, argv, this_check::table, body); }
