// The parts of a step as sections of the record.
#pragma once

#include <array>
#include <optional>

#include "measure/section.hpp"
#include "model.hpp"
#include "phases.hpp"
#include "this_check.hpp"

namespace atmosphere {

class Timer : public StepWatch {
 public:
  explicit Timer(const Model& model) {
    stage_ = {.flop = model.stage_flop(),
              .bytes_read = model.stage_bytes_read(),
              .bytes_written = model.stage_bytes_written()};
    filter_ = {.flop = model.filter_flop() / 2, .bytes_read = model.filter_bytes() / 2};  // entered twice a step
    messages_ = {.messages = model.halo().messages()};
  }

  void enter(Phase phase) override {
    namespace section = this_check::section;
    std::optional<tenken::Section>& open = open_[static_cast<std::size_t>(phase)];
    switch (phase) {
      case Phase::step:
        open.emplace(section::dynstep);
        return;
      case Phase::large_step:
        open.emplace(section::dynstep_large_step, stage_);
        return;
      case Phase::filter:
        open.emplace(section::dynstep_filter, filter_);
        return;
      case Phase::transfer:
        open.emplace(section::dynstep_comm_data_transfer);
        return;
      case Phase::pack:
        open.emplace(section::dynstep_comm_data_transfer_pack, messages_);
        return;
      case Phase::wait:
        open.emplace(section::dynstep_comm_data_transfer_wait);
        return;
      case Phase::unpack:
        open.emplace(section::dynstep_comm_data_transfer_unpack);
        return;
    }
  }
  void leave(Phase phase) override { open_[static_cast<std::size_t>(phase)].reset(); }

 private:
  tenken::Work stage_{}, filter_{}, messages_{};
  std::array<std::optional<tenken::Section>, 7> open_{};
};

}  // namespace atmosphere
