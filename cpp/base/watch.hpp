// Somebody who is told when a part of a solver begins and ends. Phases are an enumeration of the solver's own.
#pragma once

namespace tenken {

template <class Phase>
class Watch {
 public:
  virtual ~Watch() = default;
  virtual void enter(Phase phase) = 0;
  virtual void leave(Phase phase) = 0;
};

// A phase as long as the object lives; without a watch, nothing.
template <class Phase>
class InPhase {
 public:
  InPhase(Watch<Phase>* watch, Phase phase) : watch_(watch), phase_(phase) {
    if (watch_ != nullptr) watch_->enter(phase_);
  }
  ~InPhase() {
    if (watch_ != nullptr) watch_->leave(phase_);
  }
  InPhase(const InPhase&) = delete;
  InPhase& operator=(const InPhase&) = delete;

 private:
  Watch<Phase>* watch_;
  Phase phase_;
};

}  // namespace tenken
