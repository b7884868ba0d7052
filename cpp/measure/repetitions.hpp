// How many passes a check times: by the seconds asked for, fewer than usual where one pass is slow. The number is
// planned from an estimate; where the passes are slower than the estimate, the group ends by time.
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

// The end of a planned group. All ranks compare their times after the same repetitions, between sections: after 2, 3,
// 4, 6, 9, ..., and more often near the end, so that a steady group runs over by at most 1/16 and two repetitions.
// Pure.
class GroupEnd {
 public:
  GroupEnd(double seconds, int planned) : seconds_(seconds), planned_(planned) {}

  // Whether the ranks compare their times after `done` repetitions.
  bool due(int done) const { return done == next_ && done < planned_; }

  // Whether the group ends after `done` repetitions in `elapsed` s, the longest time of any rank. Called where due;
  // with the same figures on every rank it gives the same answers. Five repetitions run, or as many as four times
  // `seconds` have time for, and two in any case.
  bool over(int done, double elapsed) {
    const bool enough = done >= usual_least_repetitions || elapsed >= 4 * seconds_;
    if (done >= least_repetitions && enough && elapsed >= seconds_) return true;
    const double left = (seconds_ - elapsed) / std::max(elapsed, 1e-9) * done;  // repetitions that still fit
    const int least = std::max(1, done / 16);
    next_ = done + static_cast<int>(std::clamp(left / 2, double(least), double(std::max(least, done / 2))));
    return false;
  }

 private:
  double seconds_;
  int planned_;
  int next_ = least_repetitions;
};

}  // namespace tenken
