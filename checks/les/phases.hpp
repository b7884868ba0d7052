// The parts of a time step with their work, for those who time them.
#pragma once

#include "base/work.hpp"

namespace les {

enum class Phase { loop, blk, model, momentum, ax, gradient, divergence, pressure, ddcom2, ddcomx, pack, wait, unpack };
constexpr int phases = 13;

class StepWatch {
 public:
  virtual ~StepWatch() = default;
  virtual void enter(Phase phase, const tenken::Work& work) = 0;
  virtual void leave(Phase phase) = 0;
};

// A phase as long as the object lives; without a watch, nothing.
class InStep {
 public:
  InStep(StepWatch* watch, Phase phase, const tenken::Work& work = {}) : watch_(watch), phase_(phase) {
    if (watch_ != nullptr) watch_->enter(phase_, work);
  }
  ~InStep() {
    if (watch_ != nullptr) watch_->leave(phase_);
  }
  InStep(const InStep&) = delete;
  InStep& operator=(const InStep&) = delete;

 private:
  StepWatch* watch_;
  Phase phase_;
};

}  // namespace les
