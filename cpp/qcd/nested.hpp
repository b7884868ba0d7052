// Solvers of D x = b by BiCGStab (bicgstab.hpp) in double precision with the plain operator: alone, or with an inner
// solver in single precision as its preconditioner.
#pragma once

#include <memory>

#include "qcd/blocks/inner.hpp"
#include "qcd/solver.hpp"

namespace tenken::qcd {

struct NestedOptions {
  double tolerance = 1e-10;
  Leaf hop{};  // the double precision operator
  BlockSections sections{};
  bool untested = false;  // the fault single_only: the inner solver's answer and residual are taken for the solution
};

class NestedSolver : public LinearSolver {
 public:
  // Both stay with the caller; `inner` null for none. Collective.
  NestedSolver(Wilson& h, MPI_Comm comm, InnerSolver* inner, const NestedOptions& options);
  ~NestedSolver() override;

  using LinearSolver::residual;
  using LinearSolver::solution;
  using LinearSolver::take;
  int sources() const override { return 1; }
  void take(std::span<const Field> b) override;
  void start() override;
  void step() override;
  void stop(int) override;
  int iteration() const override;
  double residual(int) const override;
  void solution(std::span<Field> x) override;
  double residual_error(int, double anew) override;

  int restarts() const;  // after breakdowns, inner ones included
  int updates() const;   // residuals computed anew
  std::int64_t inner_steps() const;
  std::int64_t sent_bytes() const;  // in halos by this rank, since the start
  bool stagnated() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tenken::qcd
