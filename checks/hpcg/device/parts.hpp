// Times of the parts of an iteration on a card, for a Watch: kernels by marks in the queue of the card, so that no part
// waits for it, all else by the watch itself.
#pragma once

#include <vector>

#include "device/device.hpp"
#include "solver.hpp"

namespace tenken::hpcg::device {

class Parts {
 public:
  explicit Parts(Device& device) : device_(device) {}

  // Null: nothing is timed.
  void begin(Watch* watch) { watch_ = watch; }

  // Queues what `action` calls on the card.
  template <class Action>
  void on_card(Step step, int level, const Work& work, const Action& action) {
    if (watch_ == nullptr) return action();
    watch_->queue(step, level, work);
    if (last_ < 0) last_ = device_.mark();  // neighbouring parts share a mark
    const int first = last_;
    action();
    last_ = device_.mark();
    spans_.push_back({first, last_});
  }
  // On the host, which waits for the card first, so that nothing of its time is counted here.
  template <class Action>
  void on_host(Step step, int level, const Work& work, const Action& action) {
    if (watch_ != nullptr) device_.finish();
    last_ = -1;
    const Watched watched(watch_, step, level, work);
    action();
  }

  void end() {
    for (const Span& each : spans_) watch_->took(device_.ns(each.first, each.last));
    spans_.clear();
    device_.forget_marks();
    last_ = -1;
    watch_ = nullptr;
  }

 private:
  struct Span {
    int first, last;  // marks
  };

  Device& device_;
  Watch* watch_ = nullptr;
  int last_ = -1;
  std::vector<Span> spans_;
};

}  // namespace tenken::hpcg::device
