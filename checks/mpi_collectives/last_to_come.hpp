// What a call costs the rank that comes last: no rank makes it wait, so that all of the time is spent by this rank.
//
// A rank that is delayed inside of a call delays all ranks equally. So each rank comes last by turns. The delayed rank
// then takes longer than the others do when they come last.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "measure/check.hpp"
#include "operation.hpp"
#include "participants.hpp"
#include "window.hpp"

namespace mpi_collectives {

class LastToCome {
 public:
  // Collective over the ranks of the group: a barrier and a sum of one word.
  LastToCome(const Participants& group, Windows& windows, double ns_per_tick);

  // Collective: a few ranks come last, in each call. `delay_ns`: what this rank loses inside of each call (a fault).
  void pass(bool timed, double delay_ns = 0);
  // Median microseconds of this rank in each call; NaN of fewer than `fewest` samples.
  std::vector<double> medians() const;

  static const std::vector<std::string>& names();

 private:
  static constexpr int turns_of_a_pass = 4;
  static constexpr std::size_t fewest = 3;
  static constexpr double late_ns = 8000;  // after the others; a window allows 10,000

  const Participants& group_;
  Windows& windows_;
  double ns_per_tick_;
  std::array<std::unique_ptr<Operation>, 2> calls_;
  std::array<std::vector<float>, 2> us_;
  int turn_ = 0;
};

}  // namespace mpi_collectives
