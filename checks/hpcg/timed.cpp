#include "timed.hpp"

#include <numeric>

#include "grid.hpp"
#include "this_check.hpp"

namespace tenken::hpcg {

namespace section = this_check::section;

namespace {

constexpr Leaf sweeps[levels] = {section::cg_symgs_0, section::cg_symgs_1, section::cg_symgs_2, section::cg_symgs_3};

Leaf leaf_of(Step step, int level) {
  switch (step) {
    case Step::halo:
      return section::cg_halo;
    case Step::symgs:
      return sweeps[level];
    case Step::spmv:
      return section::cg_spmv;
    case Step::restriction:
      return section::cg_restrict;
    case Step::prolongation:
      return section::cg_prolong;
    case Step::dot:
      return section::cg_dot;
    case Step::reduction:
      return section::cg_reduction;
    case Step::waxpby:
      break;
  }
  return section::cg_waxpby;
}

}  // namespace

double Timed::mean_seconds() const { return std::accumulate(seconds_.begin(), seconds_.end(), 0.0) / steps(); }

void Timed::forget() {
  seconds_.clear();
  in_phase_ = {};
  flop_ = bytes_ = 0;
}

void Timed::step() {
  in_cycle_ = true;
  const std::int64_t begin = monotonic_ns();
  {
    const Section whole{section::cg};
    solver_.step(this);
  }
  seconds_.push_back(static_cast<double>(monotonic_ns() - begin) * 1e-9);
}

// The V-cycle ends with the first scalar product. Its residuals are products with the matrix, too.
Phase Timed::phase_of(Step step) {
  in_cycle_ = in_cycle_ && step != Step::dot && step != Step::reduction && step != Step::waxpby;
  if (in_cycle_) return Phase::mg;
  if (step == Step::waxpby) return Phase::waxpby;
  return step == Step::dot || step == Step::reduction ? Phase::ddot : Phase::spmv;
}

void Timed::leave() {
  part_.reset();
  in_phase_[static_cast<std::size_t>(phase_)] += static_cast<double>(monotonic_ns() - entered_) * 1e-9;
}

auto Timed::counted(Step step, int level, const Work& of_rule_book) -> Queued {
  Work work = of_rule_book;
  work.flop = charged(work.flop, iterations_);
  flop_ += static_cast<double>(work.flop);
  if (step != Step::halo && step != Step::reduction) {
    bytes_ += static_cast<double>(work.bytes_read + work.bytes_written);
  }
  return {leaf_of(step, level), work, phase_of(step)};
}

void Timed::enter(Step step, int level, const Work& of_rule_book) {
  const Queued part = counted(step, level, of_rule_book);
  phase_ = part.phase;
  entered_ = monotonic_ns();
  part_.emplace(part.leaf, part.work);
}

void Timed::queue(Step step, int level, const Work& of_rule_book) {
  queued_.push_back(counted(step, level, of_rule_book));
}

void Timed::took(double ns) {
  const Queued& part = queued_.front();
  add_sample(part.leaf, static_cast<std::int64_t>(ns / ns_per_tick_), part.work);
  in_phase_[static_cast<std::size_t>(part.phase)] += ns * 1e-9;
  queued_.pop_front();
}

}  // namespace tenken::hpcg
