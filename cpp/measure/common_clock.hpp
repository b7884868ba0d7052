// One clock for all ranks: each node's counter is related to that of the first one by round trips, so that ranks can
// start at the same instant and stamps of different nodes can be compared.
//
// Between nodes by the method of F. Cristian (Probabilistic clock synchronization, Distributed Computing 3 (1989) 146):
// of many round trips the shortest is believed, and the other's stamp is taken for the middle of it; the error is at
// most half of that trip. Node 2^k + i asks node i, so that log2(nodes) rounds are enough. Ranks of one node share its
// counter.
#pragma once

#include <mpi.h>

#include <cstdint>

#include "measure/clock.hpp"

namespace tenken {

class CommonClock {
 public:
  // What tests plant: every rank as a node of its own, whose counter shows so many ticks more.
  struct Planted {
    bool apart = false;
    std::int64_t ticks_more = 0;
  };

  // Collective over `comm`, as `synchronise` is.
  explicit CommonClock(MPI_Comm comm) : CommonClock(comm, Planted{}) {}
  CommonClock(MPI_Comm comm, const Planted& planted);
  ~CommonClock();
  CommonClock(const CommonClock&) = delete;
  CommonClock& operator=(const CommonClock&) = delete;

  // Counters of nodes drift apart by some microseconds a second: to be called every 0.1 s or so. Nothing on one node.
  void synchronise();

  std::int64_t ticks() const noexcept { return ticks_now() + planted_.ticks_more; }
  // The common time in ns, from when the clock was made, at a reading of ticks(); and the reading at a time.
  double ns(std::int64_t ticks) const noexcept {
    return shown_.ns + static_cast<double>(ticks - shown_.ticks) * shown_.ns_per_tick;
  }
  std::int64_t ticks_at(double ns) const noexcept {
    return shown_.ticks + static_cast<std::int64_t>((ns - shown_.ns) / shown_.ns_per_tick);
  }
  double now() const noexcept { return ns(ticks()); }

  // Collective: ns from the first `begin` of any rank to the last `end` of any rank, both readings of now().
  double whole(double begin, double end) const;

  int nodes() const { return nodes_; }
  double ns_per_tick() const { return shown_.ns_per_tick; }
  // At most so far is this rank from the first node, in ns: half the shortest round trips on the way there, and the
  // largest step that a later synchronisation had to make. 0 on the first node.
  double error_ns() const { return shown_.error_ns + largest_step_ns_; }

 private:
  struct Shown {
    std::int64_t ticks = 0;
    double ns = 0;
    double ns_per_tick = 1;
    double error_ns = 0;
  };

  void answer(int other) const;
  void ask(int other);

  MPI_Comm comm_;
  Planted planted_;
  MPI_Comm node_ = MPI_COMM_NULL;   // ranks that share a counter
  MPI_Comm first_ = MPI_COMM_NULL;  // the first rank of each node; null on others
  int nodes_ = 1;
  bool asked_ = false;
  Shown shown_;
  Shown at_first_;  // of the first synchronisation: the longer since then, the better the rate is known
  double largest_step_ns_ = 0;
};

}  // namespace tenken
