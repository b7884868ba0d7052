#include "timed.hpp"

#include <numeric>

#include "grid.hpp"
#include "measure/clock.hpp"
#include "this_check.hpp"

namespace tenken::hpcg {

namespace section = this_check::section;

namespace {

constexpr Leaf sweeps[levels] = {section::cg_symgs_0, section::cg_symgs_1, section::cg_symgs_2, section::cg_symgs_3};

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

void Timed::enter(Step step, int level, const Work& of_rule_book) {
  Work work = of_rule_book;
  work.flop = charged(work.flop, iterations_);
  flop_ += static_cast<double>(work.flop);
  if (step != Step::halo && step != Step::reduction) {
    bytes_ += static_cast<double>(work.bytes_read + work.bytes_written);
  }
  phase_ = phase_of(step);
  entered_ = monotonic_ns();
  switch (step) {
    case Step::halo:
      part_.emplace(section::cg_halo, work);
      return;
    case Step::symgs:
      part_.emplace(sweeps[level], work);
      return;
    case Step::spmv:
      part_.emplace(section::cg_spmv, work);
      return;
    case Step::restriction:
      part_.emplace(section::cg_restrict, work);
      return;
    case Step::prolongation:
      part_.emplace(section::cg_prolong, work);
      return;
    case Step::dot:
      part_.emplace(section::cg_dot, work);
      return;
    case Step::reduction:
      part_.emplace(section::cg_reduction, work);
      return;
    case Step::waxpby:
      part_.emplace(section::cg_waxpby, work);
      return;
  }
}

}  // namespace tenken::hpcg
