// The phases of a pass as sections: group, then leaves with the work of the pass, of which the first of a pass carries
// all.
#pragma once

#include <array>
#include <optional>

#include "measure/section.hpp"
#include "this_check.hpp"
#include "work.hpp"

namespace tenken::seismic {

class Timer : public Watch<Phase> {
 public:
  template <class Real>
  explicit Timer(const Waves<Real>& waves) {
    for (std::size_t n = 0; n < phases; ++n) work_[n] = work_of(waves, static_cast<Phase>(n));
  }

  void enter(Phase phase) override {
    namespace section = this_check::section;
    const auto n = static_cast<std::size_t>(phase);
    if (phase == Phase::step) left_ = work_;
    std::optional<Section>& open = open_[n];
    const Work work = std::exchange(left_[n], Work{});
    switch (phase) {
      case Phase::step:
        open.emplace(section::step);
        return;
      case Phase::velocity_passing:
        open.emplace(section::step_passing_velocity);
        return;
      case Phase::stress_passing:
        open.emplace(section::step_passing_stress);
        return;
      case Phase::stressderiv:
        open.emplace(section::step_kernel_stressderiv, work);
        return;
      case Phase::update_vel:
        open.emplace(section::step_kernel_update_vel, work);
        return;
      case Phase::absorb_vel:
        open.emplace(section::step_absorb_update_vel, work);
        return;
      case Phase::velderv:
        open.emplace(section::step_kernel_velderv, work);
        return;
      case Phase::update_stress:
        open.emplace(section::step_kernel_update_stress, work);
        return;
      case Phase::absorb_stress:
        open.emplace(section::step_absorb_update_stress, work);
        return;
      case Phase::ring:
        open.emplace(section::step_ring, work);
        return;
      case Phase::sweep:
        open.emplace(section::step_sweep, work);
        return;
      case Phase::velocity_pack:
        open.emplace(section::step_passing_velocity_pack, work);
        return;
      case Phase::velocity_wait:
        open.emplace(section::step_passing_velocity_wait, work);
        return;
      case Phase::velocity_unpack:
        open.emplace(section::step_passing_velocity_unpack, work);
        return;
      case Phase::stress_pack:
        open.emplace(section::step_passing_stress_pack, work);
        return;
      case Phase::stress_wait:
        open.emplace(section::step_passing_stress_wait, work);
        return;
      case Phase::stress_unpack:
        open.emplace(section::step_passing_stress_unpack, work);
        return;
      case Phase::count:
        return;
    }
  }
  void leave(Phase phase) override { open_[static_cast<std::size_t>(phase)].reset(); }

 private:
  static constexpr auto phases = static_cast<std::size_t>(Phase::count);
  std::array<Work, phases> work_{}, left_{};
  std::array<std::optional<Section>, phases> open_{};
};

}  // namespace tenken::seismic
