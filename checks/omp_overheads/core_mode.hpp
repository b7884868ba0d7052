// How far apart the first and the last core of the team are, before and after: what threads tell each other takes as
// long as a line travels, and on virtual machines that flips between two values.
#pragma once

#include <omp.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "measure/clock.hpp"
#include "numerics/round_trip.hpp"

namespace omp_overheads {

class CoreMode {
 public:
  explicit CoreMode(int threads) : threads_(threads) {}

  // Median over samples of the round trip between the first and the last thread. At least two threads, each on a core.
  double nanoseconds() {
    constexpr int samples = 61;
    constexpr int trips = 100;
    std::array<double, samples> each{};
    std::int64_t wrong = 0;
    for (int sample = 0; sample < samples; ++sample) {
      tenken::RoundTrips& lines = lines_.at(sample);
      double& ns = each[static_cast<std::size_t>(sample)];
#pragma omp parallel num_threads(threads_) reduction(+ : wrong)
      {
        const int me = omp_get_thread_num();
        if (me == 0 || me == threads_ - 1) {
          wrong += lines.by_sequence(me == 0, 1);  // both are there
          const std::int64_t start = tenken::monotonic_ns();
          wrong += lines.by_sequence(me == 0, trips);
          if (me == 0) ns = static_cast<double>(tenken::monotonic_ns() - start) / trips;
        }
      }
    }
    wrong_ += wrong;
    std::nth_element(each.begin(), each.begin() + samples / 2, each.end());
    return each[samples / 2];
  }

  std::int64_t wrong() const { return wrong_; }  // messages that were not the expected ones

 private:
  int threads_;
  tenken::ScatteredRoundTrips lines_;
  std::int64_t wrong_ = 0;
};

}  // namespace omp_overheads
