#include "parallel/batch.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace tenken {

namespace {

constexpr double target_s = 100e-6;
// A figure is believed from here on: shorter ones are made of the clock and of the first call's costs.
constexpr double long_enough_s = target_s / 4;
constexpr int most = 4096;
// The least of several tries: an interruption must not decide. At least so many, then more while they cost little.
constexpr int fewest_tries = 5;
constexpr int most_tries = 25;
constexpr double patience_s = 40e-3;

double seconds_of(const std::function<void(int)>& run, int calls) {
  const auto start = std::chrono::steady_clock::now();
  run(calls);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int batch_by(const std::function<double(int)>& seconds) {
  double call_s = std::numeric_limits<double>::infinity();
  for (int calls = 1;; calls = std::min(4 * calls, most)) {
    double least = std::numeric_limits<double>::infinity();
    double spent = 0;
    const auto too_short = [&] { return least < long_enough_s && calls < most; };
    for (int i = 0; i < most_tries && (i < fewest_tries || spent < patience_s) && !too_short(); ++i) {
      const double taken = seconds(calls);
      least = std::min(least, taken);
      spent += taken;
    }
    // Where all tries of a longer batch were interrupted, the shorter one before it tells how long a call is.
    call_s = std::min(call_s, least / calls);
    if (!too_short())
      return static_cast<int>(std::clamp(std::ceil(target_s / std::max(call_s, 1e-9)), 1.0, double{most}));
  }
}

int batch_of(MPI_Comm comm, const std::function<void(int)>& run) {
  int tried = 0;
  double least = 0;  // of this rank: interruptions of ranks at different tries must not add up
  return batch_by([&](int calls) {
    const double taken = seconds_of(run, calls);
    least = calls == tried ? std::min(least, taken) : taken;
    tried = calls;
    double slowest = least;
    MPI_Allreduce(MPI_IN_PLACE, &slowest, 1, MPI_DOUBLE, MPI_MAX, comm);
    return slowest;
  });
}

}  // namespace tenken
