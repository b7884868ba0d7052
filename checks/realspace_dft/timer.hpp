// The parts of an iteration as sections of the record.
#pragma once

#include <array>
#include <optional>

#include "measure/section.hpp"
#include "phases.hpp"
#include "this_check.hpp"

namespace tenken::realspace {

class Timer : public Watch {
 public:
  void enter(Phase phase, const Work& work) override;
  void leave(Phase phase) override { open_[static_cast<std::size_t>(phase)].reset(); }

 private:
  std::array<std::optional<Section>, phases> open_{};
};

}  // namespace tenken::realspace
