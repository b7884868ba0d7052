#include "parallel/batch.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace tenken {

namespace {

constexpr double target_s = 100e-6;
constexpr int most = 4096;
constexpr int tries = 5;  // the least of them: one interruption must not decide

double seconds_of(const std::function<void(int)>& run, int calls) {
  const auto start = std::chrono::steady_clock::now();
  run(calls);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int batch_of(MPI_Comm comm, const std::function<void(int)>& run) {
  for (int calls = 1;; calls = std::min(4 * calls, most)) {
    double least = seconds_of(run, calls);
    for (int i = 1; i < tries; ++i) least = std::min(least, seconds_of(run, calls));
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_DOUBLE, MPI_MAX, comm);
    // A figure is believed from a quarter of the target on: shorter ones are
    // made of the clock and of the first call's costs.
    if (least >= target_s / 4 || calls == most) {
      return static_cast<int>(std::clamp(std::ceil(calls * target_s / std::max(least, 1e-9)), 1.0, double{most}));
    }
  }
}

}  // namespace tenken
