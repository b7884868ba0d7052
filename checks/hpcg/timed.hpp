// The check's parameters, its need of memory, and solvers with and without sections.
#pragma once

#include <optional>

#include "measure/check.hpp"
#include "measure/section.hpp"
#include "parallel/partition.hpp"
#include "solver.hpp"

namespace tenken::hpcg {

constexpr int set = 50;  // iterations, as the rule book has them

Index<3> cells_of(const Check& check);  // of each rank; refuses what four grids cannot halve
Index<3> ranks_of(const Check& check);
// Refuses, before anything is allocated, what the node cannot hold; returns the bytes of a rank.
double require_memory(const Check& check, const Index<3>& cells);

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
  void leave() override { part_.reset(); }

  double mean_seconds() const { return seconds_ / steps_; }  // of an iteration
  double flop() const { return flop_ / steps_; }             // of an iteration, charged

  void forget() { seconds_ = flop_ = steps_ = 0; }

 private:
  Solver& solver_;
  int iterations_;
  std::optional<Section> part_;
  double seconds_ = 0, flop_ = 0, steps_ = 0;
};

}  // namespace tenken::hpcg
