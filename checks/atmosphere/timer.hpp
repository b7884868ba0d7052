// The parts of a step as sections of the record.
#pragma once

#include <array>
#include <optional>

#include "measure/section.hpp"
#include "phases.hpp"
#include "this_check.hpp"

namespace atmosphere {

class Timer : public StepWatch {
 public:
  explicit Timer(const Works& works) : works_(works) {}

  void enter(Phase phase) override {
    namespace section = this_check::section;
    constexpr std::array leaves = {section::dynstep_large_step,
                                   section::dynstep_small_step,
                                   section::dynstep_vertical_solve,
                                   section::dynstep_tracer,
                                   section::dynstep_filter,
                                   section::dynstep_comm_data_transfer_pack,
                                   section::dynstep_comm_data_transfer_wait,
                                   section::dynstep_comm_data_transfer_unpack};
    const auto at = static_cast<std::size_t>(phase);
    if (phase == Phase::step) {
      open_[at].emplace(section::dynstep);
    } else if (phase == Phase::transfer) {
      open_[at].emplace(section::dynstep_comm_data_transfer);
    } else {
      open_[at].emplace(leaves[phase < Phase::transfer ? at - 1 : at - 2], works_[at]);
    }
  }
  void leave(Phase phase) override { open_[static_cast<std::size_t>(phase)].reset(); }

 private:
  Works works_;
  std::array<std::optional<tenken::Section>, phases> open_{};
};

}  // namespace atmosphere
