// Calls that all ranks begin at the same instant of a common clock, as ReproMPI does it (S. Hunold, A. Carpen-Amarie,
// Reproducible MPI benchmarking is still not as easy as you think, IEEE TPDS 27 (2016) 3617). After a barrier ranks
// would begin as unevenly as they leave it.
#pragma once

#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "measure/common_clock.hpp"

namespace mpi_collectives {

class Windows {
 public:
  // One window as this rank saw it. Times in ns from the instant at which all were to begin.
  struct Seen {
    bool in_time = false;      // ready before that instant, and in the call soon after it
    bool all_in_time = false;  // every rank was
    double begun = 0;          // when the call was entered, by this rank's own counter
    std::int64_t ticks = 0;    // until the call had ended here
  };

  // `passive`: ranks share cores, so those that wait must let others run. What begins late then counts all the same: it
  // is not judged, and else nothing would be left.
  Windows(MPI_Comm comm, tenken::CommonClock& clock, bool passive) : comm_(comm), clock_(clock), passive_(passive) {}

  // Collective. `hold_ns`: a fault, so long after the instant this rank enters the call.
  template <class Call>
  Seen run(Call&& call, double hold_ns = 0) {
    const double instant = agreed_instant();
    const std::int64_t begin = clock_.ticks_at(instant);
    Seen seen;
    const bool ready = clock_.ticks() < begin;
    wait_until(begin);
    if (hold_ns > 0) wait_until(begin + static_cast<std::int64_t>(hold_ns / clock_.ns_per_tick()));
    const std::int64_t entered = stamp();
    call();
    seen.ticks = stamp() - begin;
    seen.begun = static_cast<double>(entered - begin) * clock_.ns_per_tick();
    seen.in_time = ready && seen.begun <= latest_start_ns;
    seen.all_in_time = agree(seen.in_time) || passive_;
    return seen;
  }

  double lead_ns() const { return lead_ns_; }

  // For tests: the next instant is one that has passed.
  void forget_instant() { next_lead_ns_ = -1e6; }

 private:
  // Out-of-order cores would read the counter while what stands before still runs.
  std::int64_t stamp() const {
#if defined(__x86_64__)
    __builtin_ia32_lfence();
#elif defined(__aarch64__)
    asm volatile("isb" ::: "memory");
#endif
    return clock_.ticks();
  }

  void wait_until(std::int64_t ticks) const {
    while (clock_.ticks() < ticks) {
      if (passive_) sched_yield();
    }
  }

  // A little after the last rank has come, the same on all. All ranks see the same times, so all synchronise together.
  double agreed_instant() {
    double latest = clock_.now();
    MPI_Allreduce(MPI_IN_PLACE, &latest, 1, MPI_DOUBLE, MPI_MAX, comm_);
    if (latest > synchronised_ns_ + synchronise_every_ns) {
      clock_.synchronise();
      synchronised_ns_ = latest;
      latest = clock_.now();
      MPI_Allreduce(MPI_IN_PLACE, &latest, 1, MPI_DOUBLE, MPI_MAX, comm_);
    }
    return latest + std::exchange(next_lead_ns_, 0) + lead_ns_;
  }

  // Whether all were in time. The lead grows where one was not, and shrinks slowly again.
  bool agree(bool in_time) {
    int missed = in_time ? 0 : 1;
    MPI_Allreduce(MPI_IN_PLACE, &missed, 1, MPI_INT, MPI_MAX, comm_);
    lead_ns_ = missed != 0 ? std::min(2 * lead_ns_, longest_lead_ns) : std::max(0.9 * lead_ns_, shortest_lead_ns);
    return missed == 0;
  }

  static constexpr double synchronise_every_ns = 1e8;
  static constexpr double latest_start_ns = 1e4;  // later is no start but an interruption
  static constexpr double shortest_lead_ns = 2e3;
  static constexpr double longest_lead_ns = 2e5;

  MPI_Comm comm_;
  tenken::CommonClock& clock_;
  bool passive_;
  double lead_ns_ = 1e4;
  double next_lead_ns_ = 0;  // to be added once
  double synchronised_ns_ = 0;
};

}  // namespace mpi_collectives
