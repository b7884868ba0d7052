// Repetitions of one iteration each: one solve after the other, all the way that the first one went. A solver has
// start(), step(), iteration() and residual().
#pragma once

#include <cmath>
#include <vector>

namespace tenken {

class Replay {
 public:
  // A whole solve, of at most `most` iterations and until the residual is below `enough`.
  template <class Solver>
  void rehearse(Solver& solver, int most, double enough) {
    residuals_.clear();
    solver.start();
    while (solver.iteration() < most && !(solver.residual() < enough)) {
      solver.step();
      residuals_.push_back(solver.residual());
    }
  }

  // One iteration; from the start where a solve is over, and for the first timed repetition.
  template <class Solver>
  void step(Solver& solver, int repetition) {
    if (repetition <= 0 || solver.iteration() == iterations()) solver.start();
    solver.step();
    const double before = residuals_[static_cast<std::size_t>(solver.iteration() - 1)];
    const double change = std::abs(solver.residual() - before) / before;
    if (!(change <= deviation_)) deviation_ = change;
  }

  // A whole solve as the rehearsal's.
  template <class Solver>
  void solve(Solver& solver) const {
    solver.start();
    while (solver.iteration() < iterations()) solver.step();
  }

  bool rehearsed() const { return !residuals_.empty(); }
  int iterations() const { return static_cast<int>(residuals_.size()); }
  double last() const { return residuals_.back(); }
  const std::vector<double>& residuals() const { return residuals_; }  // after each iteration of the rehearsal
  double deviation() const { return deviation_; }  // largest relative one from the residuals of the rehearsal

 private:
  std::vector<double> residuals_;
  double deviation_ = 0;
};

}  // namespace tenken
