// Parts of a computation, for who times them: code that computes names the part, a watch makes a section of it.
#pragma once

#include "base/work.hpp"

namespace tenken {

template <class Phase>
class PhaseWatch {
 public:
  virtual ~PhaseWatch() = default;
  virtual void enter(Phase phase, const Work& work) = 0;
  virtual void leave(Phase phase) = 0;
};

// A phase as long as the object lives; without a watch, nothing.
template <class Phase>
class InPhase {
 public:
  InPhase(PhaseWatch<Phase>* watch, Phase phase, const Work& work = {}) : watch_(watch), phase_(phase) {
    if (watch_ != nullptr) watch_->enter(phase_, work);
  }
  ~InPhase() {
    if (watch_ != nullptr) watch_->leave(phase_);
  }
  InPhase(const InPhase&) = delete;
  InPhase& operator=(const InPhase&) = delete;

 private:
  PhaseWatch<Phase>* watch_;
  Phase phase_;
};

}  // namespace tenken
