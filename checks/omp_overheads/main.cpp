#include <algorithm>
#include <array>
#include <vector>

#include "base/error.hpp"
#include "core_mode.hpp"
#include "kernel.hpp"
#include "measure/check.hpp"
#include "measure/clock.hpp"
#include "this_check.hpp"
#include "thread_times.hpp"
#include "trace.hpp"
#include "waiting.hpp"

namespace {
using namespace tenken;
using namespace omp_overheads;
namespace section = this_check::section;

// In the order of constructs().
constexpr std::array sections{section::reference,    section::parallel,       section::parallel_for,
                              section::for_loop,     section::for_nowait,     section::barrier,
                              section::single,       section::single_nowait,  section::critical,
                              section::lock,         section::ordered,        section::atomic,
                              section::reduction,    section::static_loop,    section::static_nowait,
                              section::dynamic_loop, section::dynamic_nowait, section::guided_loop};

constexpr std::int64_t long_enough_ns = 200000;  // of a sample: 50 times what opens and closes its region
constexpr int fewest = 32;                       // constructs of a sample, however slow
constexpr int most = 65536;
constexpr int expected_repetitions = 2000;
constexpr double held_ns = 2000;    // what the fault takes from the last thread, each time
constexpr std::size_t held_in = 5;  // the barrier

class Overheads {
 public:
  explicit Overheads(Check& check)
      : check_(check),
        team_(check.threads()),
        trace_(check.threads(), expected_repetitions),
        n_(sections.size(), fewest) {
    if (check.fault("delayed_thread")) held_ = check.threads() - 1;
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
        Section s{sections[c], 0, {}, construct.calls(n_[c], team_.threads())};
        run(c);
      }
      wrong_ += team_.wrong_counts(construct.share, n_[c]);
      if (construct.traced) trace(c, timed);
    }
    wrong_ += barrier_violations(team_.threads(), 4);
  }

  double wrong() const { return static_cast<double>(wrong_); }
  Table thread_times() const { return gather_thread_times(check_.comm(), trace_, clock_.ns_per_tick()); }

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
      const std::int64_t start = monotonic_ns();
      run(c);
      shortest = std::min(shortest, monotonic_ns() - start);
    }
    MPI_Allreduce(MPI_IN_PLACE, &shortest, 1, MPI_INT64_T, MPI_MAX, check_.comm());
    return shortest;
  }

  Check& check_;
  Clock clock_;
  Team team_;
  Trace trace_;
  std::vector<int> n_;
  int held_ = -1;
  std::int64_t ticks_ = 0;
  std::int64_t wrong_ = 0;
};

void body(Check& check) {
  Overheads overheads(check);
  CoreMode mode(check.threads());
  const bool probed = check.threads() > 1 && !check.oversubscribed();
  if (probed) check.value("core_round_trip_before", "ns", check.max_over_ranks(mode.nanoseconds()));
  check.repeat([&](int repetition) { overheads.pass(repetition >= 0); });
  if (probed) check.value("core_round_trip_after", "ns", check.max_over_ranks(mode.nanoseconds()));
  check.prove(this_check::validity::counts,
              check.sum_over_ranks(overheads.wrong() + static_cast<double>(mode.wrong())));
  check.table(overheads.thread_times());
}
}  // namespace

int main(int argc, char** argv) {
  omp_overheads::wait_as_asked(argc, argv);
  return tenken::run_check(argc, argv, this_check::table, body);
}
