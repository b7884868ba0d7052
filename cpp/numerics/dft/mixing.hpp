// Anderson's mixing (D. G. Anderson, J. ACM 12, 547 (1965)): the next density of a self-consistency from those before.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

namespace tenken::dft {

class AndersonMixing {
 public:
  // history: differences kept (0: plain mixing); share: part of the residual that is added.
  AndersonMixing(int history, double share) : history_(static_cast<std::size_t>(history)), share_(share) {}

  // From a density and what the equations made of it.
  std::vector<double> next(const std::vector<double>& in, const std::vector<double>& out);

  // All that the next answer depends on, newest last.
  struct Step {
    std::vector<double> in, residual;
  };
  const std::deque<Step>& steps() const { return steps_; }
  void restore(std::deque<Step> steps) { steps_ = std::move(steps); }

 private:
  std::size_t history_;
  double share_;
  std::deque<Step> steps_;
};

}  // namespace tenken::dft
