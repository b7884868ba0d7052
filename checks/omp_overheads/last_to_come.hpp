// What a barrier costs the thread that comes last: no thread makes it wait, so that all of the time is spent by this
// thread.
//
// A thread that is delayed inside of a barrier delays all threads equally. So each thread comes last by turns. The
// delayed thread then takes longer than the others do when they come last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace omp_overheads {

constexpr int turns_of_a_thread = 4;  // in a pass, as long as these are not more than `turns_of_a_pass`
constexpr int turns_of_a_pass = 64;   // of all threads: larger teams go on in the next pass
constexpr std::size_t fewest_samples = 3;
constexpr std::int64_t late_ns = 5000;  // that the last thread starts after the others: more than any delay looked for

class LastToCome {
 public:
  LastToCome(int threads, int repetitions, double ns_per_tick);

  // Threads in turn are the last of a barrier. `delayed`: a thread that loses `ticks` more at each entry (a fault); -1
  // for none.
  void pass(bool timed, int delayed = -1, std::int64_t ticks = 0);
  // Median ticks of each thread; NaN of fewer than `fewest_samples`.
  std::vector<double> medians() const;

 private:
  struct alignas(256) Samples {
    std::vector<std::int64_t> ticks;
  };
  std::int64_t late_ticks_;
  int turn_ = 0;
  std::vector<Samples> of_threads_;
};

}  // namespace omp_overheads
