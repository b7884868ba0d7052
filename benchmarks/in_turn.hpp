// Two or more actions, timed in turn, and the main function of programs that do this.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <functional>
#include <vector>

#include "measure/clock.hpp"

namespace tenken {

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Ticks of each action in each round, after one round that is not timed. Every other round goes backwards, so that none
// always follows the same one. before(): outside of the time, such as a barrier.
template <std::size_t n>
std::array<std::vector<double>, n> times_in_turn(int rounds, const std::array<std::function<void()>, n>& actions,
                                                 const std::function<void()>& before) {
  std::array<std::vector<double>, n> ticks;
  for (int round = -1; round < rounds; ++round) {
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t which = round % 2 == 0 ? i : n - 1 - i;
      before();
      const std::int64_t begin = ticks_now();
      actions[which]();
      const auto taken = static_cast<double>(ticks_now() - begin);
      if (round >= 0) ticks[which].push_back(taken);
    }
  }
  return ticks;
}

// run(argc, argv) between MPI_Init and MPI_Finalize; 3 after an exception, whose sentence goes to standard error.
template <class Run>
int run_with_mpi(int argc, char** argv, Run&& run) {
  MPI_Init(&argc, &argv);
  int code = 0;
  try {
    run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    code = 3;
  }
  MPI_Finalize();
  return code;
}

}  // namespace tenken
