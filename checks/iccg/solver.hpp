// A solver of conjugate gradients that can be stopped and goes on: what is timed, tested and proved.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/watch.hpp"
#include "numerics/coloured.hpp"

namespace iccg {

// How threads are kept in step, after the five steps of T. Hanawa et al. (papers of Oakforest-PACS, table 2):
enum class Sync {
  baseline,      // parallel loops for vectors; a region around the loop over colours, a shared loop inside
  nowait,        // no waiting between the colours of the product
  mv_parallel,   // one region around all iterations
  rm_ompdo,      // loops cut by hand, explicit barriers
  rm_reduction,  // every thread sums all partial sums by itself
};

enum class Phase { iteration, forward, backward, product, dot, update };
constexpr int phases = 6;

// Told by the first thread; between shared loops where nobody waits, what it is told is that thread's own time.
using Watch = tenken::Watch<Phase>;
using Watched = tenken::InPhase<Phase>;

enum class End {
  none,       // as many iterations as asked for
  converged,  // the residual is below the tolerance
  broken,     // a scalar product that a positive definite system makes positive was not, or was no number
};

class Solver {
 public:
  virtual ~Solver() = default;

  // x = 0.
  virtual void start() = 0;
  // At most n more iterations, to |r| <= tolerance |b|; returns how many.
  virtual int advance(int n, double tolerance, Watch* watch) = 0;
  virtual End end() const = 0;
  // |r| / |b| as the iteration knows it: after each one, from the start on (before the first: 1).
  virtual const std::vector<double>& history() const = 0;
  // x in the order of the matrix.
  virtual void solution(double* x) const = 0;
  // The search direction of the last iteration in the order of the matrix: where that broke, p.A p was not positive.
  virtual void direction(double* p) const = 0;
  // What is made symmetric and positive definite by the coloured factor, on vectors of length padded: out = M^-1 in;
  // for solvers that have M inside their operator, that operator.
  virtual void apply(const double* in, double* out) = 0;
  // Part of the slots whose columns are stored as one.
  virtual double runs() const = 0;
  // What an iteration goes over, each once: matrix, diagonals and vectors.
  virtual std::int64_t working_set_bytes() const = 0;
  // Of one iteration, by phase.
  virtual tenken::Work work(Phase phase) const = 0;
};

struct Faults {
  bool unsymmetric_preconditioner = false;
};

constexpr int most_iterations = 100000;

// b: in the order of the matrix. `a` must outlive the solver. The number of threads is that of OpenMP at this moment.
std::unique_ptr<Solver> make_iccg(Sync sync, const tenken::Coloured& a, std::span<const double> b, Faults faults = {});
std::unique_ptr<Solver> make_best(const tenken::Coloured& a, std::span<const double> b, Faults faults = {});

}  // namespace iccg
