// Sections for the phases of a solver: the phase of value 0 is a whole iteration, the others are its parts, each a leaf
// inside of it.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "base/watch.hpp"
#include "measure/section.hpp"

namespace tenken {

template <class Phase, std::size_t phases>
class PhaseSections : public Watch<Phase> {
 public:
  // leaves: of phases 1 and on. work: of one iteration, by phase; that of phase 0 is not used.
  PhaseSections(Group whole, const std::array<Leaf, phases - 1>& leaves, const std::array<Work, phases>& work)
      : whole_(whole), leaves_(leaves), work_(work), left_(work) {}

  void enter(Phase phase) override {
    const auto n = static_cast<std::size_t>(phase);
    if (n == 0) {
      iteration_.emplace(whole_);
      left_ = work_;
      return;
    }
    // Some phases come several times an iteration: the first one carries the work of all.
    part_.emplace(leaves_[n - 1], std::exchange(left_[n], Work{}));
  }
  void leave(Phase phase) override {
    if (static_cast<std::size_t>(phase) == 0) {
      iteration_.reset();
    } else {
      part_.reset();
    }
  }

 private:
  Group whole_;
  std::array<Leaf, phases - 1> leaves_;
  std::array<Work, phases> work_, left_;
  std::optional<Section> iteration_, part_;
};

}  // namespace tenken
