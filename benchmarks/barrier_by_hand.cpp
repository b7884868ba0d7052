// The barrier as omp_overheads times it, and a loop of as many barriers written by hand, in turn: barrier_by_hand
// ROUNDS.
#include <omp.h>

#include <cstdio>
#include <cstdlib>

#include "in_turn.hpp"
#include "kernel.hpp"

int main(int argc, char** argv) {
  using namespace omp_overheads;
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 101;
  constexpr int barriers = 1000;
  const int threads = omp_get_max_threads();
  Team team(threads);
  const auto& all = constructs<Count>();
  const auto* const barrier =
      std::find_if(all.begin(), all.end(), [](const Construct<Count>& one) { return one.name == "barrier"; });
  const tenken::Clock clock;
  const auto ticks = tenken::times_in_turn<2>(rounds,
                                              {[&] { barrier->run(team, barriers, Count{team}); },
                                               [&] {
#pragma omp parallel num_threads(threads)
                                                 for (int i = 0; i < barriers; ++i) {
#pragma omp barrier
                                                 }
                                               }},
                                              [] {});
  const double us = clock.ns_per_tick() / 1000 / barriers;
  std::printf("{\"threads\": %d, \"by_check_us\": %.6f, \"by_hand_us\": %.6f}\n", threads,
              tenken::median(ticks[0]) * us, tenken::median(ticks[1]) * us);
}
