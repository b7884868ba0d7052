// The parts of an iteration as sections of the record; a planted delay of one communicator.
#pragma once

#include <array>
#include <optional>

#include "measure/section.hpp"
#include "phases.hpp"
#include "this_check.hpp"

namespace tenken::planewave {

class Timer : public Watch {
 public:
  // delay: seconds that this rank is late in the first alltoall of each inverse transform; 0: none.
  explicit Timer(double delay = 0) : delay_(delay) {}

  void enter(Phase phase, const Work& work) override;
  void leave(Phase phase) override { open_[static_cast<std::size_t>(phase)].reset(); }

 private:
  std::array<std::optional<Section>, phases> open_{};
  double delay_;
};

}  // namespace tenken::planewave
