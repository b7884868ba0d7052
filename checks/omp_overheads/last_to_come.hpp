// What a barrier costs the thread that comes last: no thread makes it wait, so that all of the time is spent by this
// thread.
//
// Between the entry and the end of a barrier all threads take equally long, whoever is delayed inside. Each thread
// comes last by turns. A thread that is delayed at the entry then takes longer than the others do when they come last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace omp_overheads {

constexpr int rounds_of_a_turn = 4;
constexpr std::int64_t late_ns = 5000;  // that the last thread starts after the others: more than any delay looked for

class LastToCome {
 public:
  LastToCome(int threads, int repetitions, double ns_per_tick);

  // Each thread in turn is the last of `rounds_of_a_turn` barriers. `held`: a thread that loses `ticks` more at each
  // entry (a fault); -1 for none.
  void pass(bool timed, int held = -1, std::int64_t ticks = 0);
  // Median ticks of each thread; NaN where it was never timed or is the only one.
  std::vector<double> medians() const;

 private:
  struct alignas(256) Samples {
    std::vector<std::int64_t> ticks;
  };
  std::int64_t late_ticks_;
  std::vector<Samples> of_threads_;
};

}  // namespace omp_overheads
