// Solvers with and without sections.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <vector>

#include "measure/clock.hpp"
#include "measure/section.hpp"
#include "solver.hpp"

namespace tenken::hpcg {

constexpr int set = 50;  // iterations, as the rule book has them

// Flop that count where a set takes more iterations than the rule book's: all iterations together get those of 50.
constexpr std::int64_t charged(std::int64_t flop, int iterations) {
  return iterations <= set ? flop : (flop * set + iterations / 2) / iterations;
}

struct Untimed {
  Solver& solver;
  void start() { solver.start(); }
  void step() { solver.step(nullptr); }
  int iteration() const { return solver.iteration(); }
  double residual() const { return solver.residual(); }
};

// Parts of an iteration whose times the benchmark states: scalar products with their sums over ranks, vector updates,
// the product with its halo, the V-cycle with all of its parts.
enum class Phase { ddot, waxpby, spmv, mg };
constexpr int phases = 4;

// Iterations in sections, with charged flop.
class Timed : public Watch {
 public:
  // iterations: of a set.
  Timed(Solver& solver, int iterations) : solver_(solver), iterations_(iterations) {}

  void start() { solver_.start(); }
  void step();
  int iteration() const { return solver_.iteration(); }
  double residual() const { return solver_.residual(); }

  void enter(Step step, int level, const Work& work) override;
  void leave() override;
  void queue(Step step, int level, const Work& work) override;
  void took(double ns) override;

  double steps() const { return static_cast<double>(seconds_.size()); }
  double mean_seconds() const;                                     // of an iteration
  const std::vector<double>& seconds() const { return seconds_; }  // of each iteration
  double seconds_in(Phase phase) const { return in_phase_[static_cast<std::size_t>(phase)] / steps(); }
  double flop() const { return flop_ / steps(); }    // of an iteration, charged
  double bytes() const { return bytes_ / steps(); }  // of an iteration, compulsory, without messages

  void forget();

 private:
  struct Queued {
    Leaf leaf;
    Work work;
    Phase phase;
  };

  Phase phase_of(Step step);
  Queued counted(Step step, int level, const Work& of_rule_book);

  Solver& solver_;
  int iterations_;
  std::optional<Section> part_;
  std::vector<double> seconds_;
  std::array<double, phases> in_phase_{};
  double flop_ = 0, bytes_ = 0;
  bool in_cycle_ = true;  // an iteration begins with the V-cycle
  Phase phase_ = Phase::mg;
  std::deque<Queued> queued_;
  double ns_per_tick_ = Clock().ns_per_tick();
  std::int64_t entered_ = 0;
};

}  // namespace tenken::hpcg
