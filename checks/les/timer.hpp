// The parts of a step as sections of the record.
#pragma once

#include <array>
#include <optional>

#include "measure/section.hpp"
#include "phases.hpp"
#include "this_check.hpp"

namespace les {

class Timer : public StepWatch {
 public:
  void enter(Phase phase, const tenken::Work& work) override {
    namespace section = this_check::section;
    std::optional<tenken::Section>& open = open_[static_cast<std::size_t>(phase)];
    switch (phase) {
      case Phase::loop:
        open.emplace(section::loop);
        return;
      case Phase::blk:
        open.emplace(section::loop_blk);
        return;
      case Phase::ddcomx:
        open.emplace(section::loop_blk_ddcomx);
        return;
      case Phase::model:
        open.emplace(section::loop_blk_model, work);
        return;
      case Phase::momentum:
        open.emplace(section::loop_blk_momentum, work);
        return;
      case Phase::ax:
        open.emplace(section::loop_blk_ax, work);
        return;
      case Phase::gradient:
        open.emplace(section::loop_blk_gradient, work);
        return;
      case Phase::divergence:
        open.emplace(section::loop_blk_divergence, work);
        return;
      case Phase::pressure:
        open.emplace(section::loop_blk_pressure, work);
        return;
      case Phase::ddcom2:
        open.emplace(section::loop_blk_ddcom2, work);
        return;
      case Phase::pack:
        open.emplace(section::loop_blk_ddcomx_pack, work);
        return;
      case Phase::wait:
        open.emplace(section::loop_blk_ddcomx_wait, work);
        return;
      case Phase::unpack:
        open.emplace(section::loop_blk_ddcomx_unpack, work);
        return;
    }
  }
  void leave(Phase phase) override { open_[static_cast<std::size_t>(phase)].reset(); }

 private:
  std::array<std::optional<tenken::Section>, phases> open_{};
};

}  // namespace les
