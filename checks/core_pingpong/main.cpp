#include <omp.h>
#include <sched.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "measure/check.hpp"
#include "measure/clock.hpp"
#include "numerics/round_trip.hpp"
#include "pairs.hpp"
#include "places.hpp"
#include "this_check.hpp"

namespace {
using namespace tenken;
using namespace core_pingpong;

using Way = std::int64_t (RoundTrips::*)(bool starts, int trips);

// One sample: threads of a team of `threads` meet, the others wait at the end of the region. ns a round trip.
double meet(RoundTrips& lines, Way way, Pair pair, int threads, int trips, int passes, std::int64_t& wrong) {
  std::int64_t ns = 0;
  std::int64_t lost = 0;
#pragma omp parallel num_threads(threads) reduction(+ : lost)
  {
    const int me = omp_get_thread_num();
    if (me == pair.first || me == pair.second) {
      const bool starts = me == pair.first;
      lost += (lines.*way)(starts, 2);  // both are there, and the lines are between them
      const std::int64_t start = monotonic_ns();
      for (int pass = 0; pass < passes; ++pass) lost += (lines.*way)(starts, trips);
      if (starts) ns = monotonic_ns() - start;
    }
  }
  wrong += lost;
  return static_cast<double>(ns) / trips;
}

Table table_of(const char* name, const std::vector<std::string>& labels, const std::vector<int>& threads,
               const std::vector<Pair>& pairs, const std::vector<double>& ns) {
  const std::size_t n = threads.size();
  std::vector<std::size_t> place(static_cast<std::size_t>(threads.back()) + 1);
  for (std::size_t i = 0; i < n; ++i) place[static_cast<std::size_t>(threads[i])] = i;
  Table table{name, "ns", Better::lower, labels, labels, std::vector<std::optional<double>>(n * n)};
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    if (std::isnan(ns[p])) continue;
    const std::size_t i = place[static_cast<std::size_t>(pairs[p].first)];
    const std::size_t j = place[static_cast<std::size_t>(pairs[p].second)];
    table.values[i * n + j] = table.values[j * n + i] = ns[p];
  }
  return table;
}

void body(Check& check) {
  if (check.ranks() != 1) refuse("core_pingpong runs as one rank with a thread on each core; say --ranks 1");
  if (check.threads() < 2) refuse("core_pingpong needs two cores at least; say --threads 2");
  if (check.oversubscribed()) refuse("core_pingpong needs a core for each thread; choose fewer threads");
  const int team = check.threads();
  const int trips = static_cast<int>(check.parameters().integer("trips"));
  const std::vector<int> threads = taking_part(team, static_cast<int>(check.parameters().integer("most_cores")));
  const std::vector<Pair> pairs = all_pairs(threads);
  std::vector<int> cpus(static_cast<std::size_t>(team));
#pragma omp parallel num_threads(team)
  cpus[static_cast<std::size_t>(omp_get_thread_num())] = sched_getcpu();

  const auto lines = std::make_unique<RoundTrips>();
  Samples sequence(pairs.size());
  Samples capture(pairs.size());
  std::int64_t wrong = 0;
  const Work work{.messages = 2 * trips};
  check.repeat([&](int repetition) {
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const bool slow = check.fault("slow_pair") && pairs[p].first == threads[0] && pairs[p].second == threads[1];
      const auto sample = [&](Leaf section, Way way, Samples& samples) {
        double ns = 0;
        {
          Section s{section, 0, work, trips};
          ns = meet(*lines, way, pairs[p], team, trips, slow ? 2 : 1, wrong);
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
  check.value("cores_taking_part", "1", static_cast<double>(threads.size()));
}
}  // namespace

int main(int argc, char** argv) { return run_check(argc, argv, this_check::table, body); }
