// One sample of a pair, and the table of all.
#pragma once

#include <omp.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "measure/clock.hpp"
#include "measure/record_table.hpp"
#include "numerics/round_trip.hpp"
#include "pairs.hpp"

namespace core_pingpong {

using Way = std::int64_t (tenken::RoundTrips::*)(bool starts, int trips);

// One sample: threads of a team of `threads` meet, the others wait at the end of the region. ns a round trip.
inline double meet(tenken::RoundTrips& lines, Way way, Pair pair, int threads, int trips, int passes,
                   std::int64_t& wrong) {
  std::int64_t ns = 0;
  std::int64_t lost = 0;
#pragma omp parallel num_threads(threads) reduction(+ : lost)
  {
    const int me = omp_get_thread_num();
    if (me == pair.first || me == pair.second) {
      const bool starts = me == pair.first;
      lost += (lines.*way)(starts, 2);  // both are there, and the lines are between them
      const std::int64_t start = tenken::monotonic_ns();
      for (int pass = 0; pass < passes; ++pass) lost += (lines.*way)(starts, trips);
      if (starts) ns = tenken::monotonic_ns() - start;
    }
  }
  wrong += lost;
  return static_cast<double>(ns) / trips;
}

inline tenken::Table table_of(const char* name, const std::vector<std::string>& labels, const std::vector<int>& threads,
                              const std::vector<Pair>& pairs, const std::vector<double>& ns) {
  const std::size_t n = threads.size();
  std::vector<std::size_t> place(static_cast<std::size_t>(threads.back()) + 1);
  for (std::size_t i = 0; i < n; ++i) place[static_cast<std::size_t>(threads[i])] = i;
  tenken::Table table{name, "ns", tenken::Better::lower, labels, labels, std::vector<std::optional<double>>(n * n)};
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    if (std::isnan(ns[p])) continue;
    const std::size_t i = place[static_cast<std::size_t>(pairs[p].first)];
    const std::size_t j = place[static_cast<std::size_t>(pairs[p].second)];
    table.values[i * n + j] = table.values[j * n + i] = ns[p];
  }
  return table;
}

}  // namespace core_pingpong
