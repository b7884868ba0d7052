// How many passes a check times: by the seconds asked for, fewer than usual where one pass is slow.
#pragma once

#include <algorithm>

namespace tenken {

constexpr int usual_least_repetitions = 5;  // steadiness is judged from so many on
constexpr int least_repetitions = 2;
constexpr int most_repetitions = 20000;

// From so long a first pass on, it is estimate and warm-up in one.
constexpr double slow_pass(double seconds) { return 2 * seconds; }

// As many passes of `estimate` s as fit into `seconds`; at least five, unless these would take more than four times as
// long, and two in any case.
constexpr int fitting_repetitions(double seconds, double estimate) {
  const double least = std::clamp(4 * seconds / estimate, double{least_repetitions}, double{usual_least_repetitions});
  return static_cast<int>(std::clamp(seconds / estimate, least, double{most_repetitions}));
}

}  // namespace tenken
