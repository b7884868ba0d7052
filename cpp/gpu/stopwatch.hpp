// Time on the card between two points of the queue, by events, and the cost of such a measurement. Errors of the
// runtime are UserErrors (trouble.hpp).
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "gpu/runtime.hpp"
#include "gpu/section_cost.hpp"

namespace tenken::gpu {

inline namespace TENKEN_GPU_FORM {

class Stopwatch {
 public:
  void start() { start_.record(); }
  void stop() { end_.record(); }

  // Waits until the section is done; its length on the card.
  double ns() const {
    end_.wait_for();
    return end_.ms_since(start_) * 1e6;
  }

 private:
  Event start_;
  Event end_;
};

// Medians of `tries` empty sections, and of the ratio of both clocks over sections of `span_ms`.
inline SectionCost section_cost(int tries = 101, double span_ms = 10) {
  using Clock = std::chrono::steady_clock;
  const auto median = [](std::vector<double>& all) {
    std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
    return all[all.size() / 2];
  };
  Stopwatch watch;
  std::vector<double> host, card, ratio;
  for (int i = 0; i < tries; ++i) {
    wait();
    const auto begin = Clock::now();
    watch.start();
    watch.stop();
    card.push_back(watch.ns());
    host.push_back(std::chrono::duration<double, std::nano>(Clock::now() - begin).count());
  }
  for (int i = 0; i < 3; ++i) {
    wait();
    watch.start();
    wait();
    const auto begin = Clock::now();
    while (std::chrono::duration<double, std::milli>(Clock::now() - begin).count() < span_ms) {
    }
    watch.stop();
    const double ns = watch.ns();
    ratio.push_back(ns / std::chrono::duration<double, std::nano>(Clock::now() - begin).count());
  }
  return {median(host), median(card), median(ratio)};
}

}  // namespace TENKEN_GPU_FORM
}  // namespace tenken::gpu
