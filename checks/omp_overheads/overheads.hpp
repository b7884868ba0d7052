// One sample of every construct in turn, and after each what the threads themselves spent in it.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "kernel.hpp"
#include "last_to_come.hpp"
#include "measure/check.hpp"
#include "measure/clock.hpp"
#include "this_check.hpp"
#include "thread_times.hpp"
#include "trace.hpp"

namespace omp_overheads {

// In the order of constructs().
constexpr std::array sections{
    this_check::section::reference,    this_check::section::parallel,       this_check::section::parallel_for,
    this_check::section::for_loop,     this_check::section::for_nowait,     this_check::section::barrier,
    this_check::section::single,       this_check::section::single_nowait,  this_check::section::critical,
    this_check::section::lock,         this_check::section::ordered,        this_check::section::atomic,
    this_check::section::reduction,    this_check::section::static_loop,    this_check::section::static_nowait,
    this_check::section::dynamic_loop, this_check::section::dynamic_nowait, this_check::section::guided_loop};

constexpr std::int64_t long_enough_ns = 200000;  // of a sample: 50 times what opens and closes its region
constexpr int fewest = 32;                       // constructs of a sample, however slow
constexpr int most = 65536;
constexpr int expected_repetitions = 2000;
constexpr double held_ns = 2000;    // what a fault takes from the last thread, each time
constexpr std::size_t held_in = 5;  // the barrier

class Overheads {
 public:
  explicit Overheads(tenken::Check& check)
      : check_(check),
        team_(check.threads()),
        trace_(check.threads(), expected_repetitions),
        last_(check.threads(), expected_repetitions, clock_.ns_per_tick()),
        n_(sections.size(), fewest) {
    if (check.fault("delayed_thread")) held_ = check.threads() - 1;
    if (check.fault("delayed_entry")) held_at_entry_ = check.threads() - 1;
    ticks_ = static_cast<std::int64_t>(held_ns / clock_.ns_per_tick());
    for (std::size_t c = 0; c < sections.size(); ++c) {
      run(c);  // first touch, threads
      while (longest(c) < long_enough_ns && n_[c] < most) n_[c] *= 2;
    }
  }

  void pass(bool timed) {
    for (std::size_t c = 0; c < sections.size(); ++c) {
      const Construct<Count>& construct = constructs<Count>()[c];
      team_.reset();
      MPI_Barrier(check_.comm());  // the ranks of a node share its power and caches
      {
        tenken::Section s{sections[c], 0, {}, construct.calls(n_[c], team_.threads())};
        run(c);
      }
      wrong_ += team_.wrong_counts(construct.share, n_[c]);
      if (construct.traced) trace(c, timed);
    }
    last_.pass(timed, held_at_entry_, ticks_);
    wrong_ += barrier_violations(team_.threads(), 4);
  }

  double wrong() const { return static_cast<double>(wrong_); }
  tenken::Table thread_times() const { return gather_thread_times(check_, trace_, last_, clock_.ns_per_tick()); }

 private:
  void run(std::size_t c) {
    const Count count{team_};
    if (held_ >= 0 && c == held_in) {
      constructs<Held>()[c].run(team_, n_[c], Held{count, held_, ticks_});
    } else {
      constructs<Count>()[c].run(team_, n_[c], count);
    }
  }

  void trace(std::size_t c, bool timed) {
    team_.reset();
    const int held = c == held_in ? held_ : -1;
    constructs<Traced>()[c].run(team_, traced_instances, Traced{team_, trace_, held, ticks_});
    if (timed) trace_.add(c);
    wrong_ += team_.wrong_counts(constructs<Traced>()[c].share, traced_instances);
  }

  // Of three runs the shortest, on the slowest rank; the same on all, so that all take as many.
  std::int64_t longest(std::size_t c) {
    std::int64_t shortest = INT64_MAX;
    for (int i = 0; i < 3; ++i) {
      const std::int64_t start = tenken::monotonic_ns();
      run(c);
      shortest = std::min(shortest, tenken::monotonic_ns() - start);
    }
    MPI_Allreduce(MPI_IN_PLACE, &shortest, 1, MPI_INT64_T, MPI_MAX, check_.comm());
    return shortest;
  }

  tenken::Check& check_;
  tenken::Clock clock_;
  Team team_;
  Trace trace_;
  LastToCome last_;
  std::vector<int> n_;
  int held_ = -1;
  int held_at_entry_ = -1;
  std::int64_t ticks_ = 0;
  std::int64_t wrong_ = 0;
};

}  // namespace omp_overheads
