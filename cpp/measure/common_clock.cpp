#include "measure/common_clock.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "measure/section.hpp"

namespace tenken {

namespace {
constexpr int round_trips = 64;
constexpr int tag = 1;
constexpr double enough_for_rate_ns = 5e8;  // from so long on two round trips tell the rate better than the calibration
}  // namespace

CommonClock::CommonClock(MPI_Comm comm, const Planted& planted) : comm_(comm), planted_(planted) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (planted.apart) {
    MPI_Comm_split(comm, rank, 0, &node_);
  } else {
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node_);
  }
  int in_node = 0;
  MPI_Comm_rank(node_, &in_node);
  MPI_Comm_split(comm, in_node == 0 ? 0 : MPI_UNDEFINED, rank, &first_);
  if (first_ != MPI_COMM_NULL) MPI_Comm_size(first_, &nodes_);
  MPI_Bcast(&nodes_, 1, MPI_INT, 0, node_);
  shown_ = {ticks(), 0, Clock().ns_per_tick(), 0};
  at_first_ = shown_;
  if (nodes_ == 1) MPI_Bcast(&shown_, sizeof shown_, MPI_BYTE, 0, node_);
  synchronise();
}

CommonClock::~CommonClock() {
  MPI_Comm_free(&node_);
  if (first_ != MPI_COMM_NULL) MPI_Comm_free(&first_);
}

double CommonClock::whole(double begin, double end) const {
  double ends[2] = {-begin, end};
  MPI_Allreduce(MPI_IN_PLACE, ends, 2, MPI_DOUBLE, MPI_MAX, comm_);
  advanced();
  return ends[0] + ends[1];
}

void CommonClock::synchronise() {
  if (nodes_ == 1) return;
  if (first_ != MPI_COMM_NULL) {
    int me = 0;
    MPI_Comm_rank(first_, &me);
    for (int known = 1; known < nodes_; known *= 2) {
      if (me < known && me + known < nodes_) answer(me + known);
      if (me >= known && me < 2 * known) ask(me - known);
    }
  }
  MPI_Bcast(&shown_, sizeof shown_, MPI_BYTE, 0, node_);
  MPI_Bcast(&largest_step_ns_, 1, MPI_DOUBLE, 0, node_);
}

void CommonClock::answer(int other) const {
  std::array<double, 2> told{0, shown_.error_ns};
  for (int i = 0; i < round_trips; ++i) {
    MPI_Recv(nullptr, 0, MPI_BYTE, other, tag, first_, MPI_STATUS_IGNORE);
    told[0] = now();
    MPI_Send(told.data(), 2, MPI_DOUBLE, other, tag, first_);
  }
}

void CommonClock::ask(int other) {
  std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
  std::array<double, 2> told{};
  Shown found = shown_;
  for (int i = 0; i < round_trips; ++i) {
    const std::int64_t before = ticks();
    MPI_Send(nullptr, 0, MPI_BYTE, other, tag, first_);
    MPI_Recv(told.data(), 2, MPI_DOUBLE, other, tag, first_, MPI_STATUS_IGNORE);
    const std::int64_t trip = ticks() - before;
    if (trip >= shortest) continue;
    shortest = trip;
    found.ticks = before + trip / 2;
    found.ns = told[0];
    found.error_ns = told[1] + 0.5 * static_cast<double>(trip) * shown_.ns_per_tick;
  }
  if (asked_) {
    largest_step_ns_ = std::max(largest_step_ns_, std::abs(found.ns - ns(found.ticks)));
    const double since = found.ns - at_first_.ns;
    if (since > enough_for_rate_ns) found.ns_per_tick = since / static_cast<double>(found.ticks - at_first_.ticks);
  } else {
    at_first_ = found;
    asked_ = true;
  }
  shown_ = found;
}

}  // namespace tenken
