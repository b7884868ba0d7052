// Conjugate gradients in five forms that are one method in exact arithmetic; u = M^-1 r, w = A u:
//
//   standard            two dependent reductions (M. R. Hestenes, E. Stiefel, J. Res. NBS 49 (1952) 409)
//   chronopoulos_gear   one, of all sums; s = A p is a recurrence (A. T. Chronopoulos, C. W. Gear, J. Comput. Appl.
//                       Math. 25 (1989) 153)
//   gropp               two: (p, s) while q = M^-1 s, (r, u) while w = A u is computed (W. Gropp, 2010)
//   pipelined           one, while m = M^-1 w and n = A m are computed; eight recurrences (P. Ghysels, W. Vanroose,
//                       Parallel Comput. 40 (2014) 224)
//   pipelined_replaced  the same, and every so many iterations what is recurred is computed anew: r, u, w, s, q, z
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/watch.hpp"
#include "sums.hpp"
#include "system.hpp"
#include "team.hpp"

namespace tenken::cg_family {

enum class Method { standard, chronopoulos_gear, gropp, pipelined, pipelined_replaced };
constexpr std::array<std::string_view, 5> method_names{"standard", "chronopoulos_gear", "gropp", "pipelined",
                                                       "pipelined_replaced"};
constexpr bool pipelined(Method method) { return method >= Method::pipelined; }
// Vectors that an iteration goes over, the right side not among them.
constexpr int vectors_of(Method method) {
  return pipelined(method) ? 10 : method == Method::standard ? 5 : method == Method::gropp ? 7 : 6;
}

enum class Phase { iteration, halo, spmv, precond, dot, reduction, wait, update, replace };
constexpr int phases = 9;

enum class End {
  none,
  converged,  // the residual is below the tolerance
  stagnated,  // it has not fallen for long
  broken,     // a sum that a positive definite system makes positive was not, or was no number
};

struct Choice {
  Method method = Method::standard;
  Regions regions = Regions::one;
  Reduction reduction = Reduction::blocking;
  int replace = 50;              // iterations between replacements
  bool stale_reduction = false;  // a fault
};

class Family {
 public:
  // Collective; the system stays with the caller. b: the right side, in the order of the system.
  Family(System& system, const Buffer<double>& b, const Choice& choice);

  // x = 0.
  void start();
  // At most n more iterations, to |r| <= tolerance |b|, without `patience` (0: none) iterations that bring the residual
  // no tenth lower; returns how many. Watch: told by the first thread.
  int advance(int n, double tolerance, int patience, Watch<Phase>* watch);

  End end() const { return end_; }
  int iterations() const { return static_cast<int>(history_.size()) - 1; }
  // Recurred |r| / |b| from the start on (1).
  const std::vector<double>& history() const { return history_; }
  const Buffer<double>& x() const { return x_; }

  struct Residuals {
    double truth;  // |b - A x| / |b|
    double gap;   // |(b - A x) - r| / (|b| + |A| |x|): what the recurrence has lost, in units of what rounding may cost
    double norm;  // |r| / |b| of the vector r, summed anew
  };
  // Collective. norm: of A. Leaves the solve as it is.
  Residuals residuals(double norm);

  // Of one iteration on this rank, by phase.
  std::array<Work, phases> work() const;

 private:
  void begin();  // what start() does, on every thread
  void step(Watch<Phase>* watch);
  void standard(Watch<Phase>* watch);
  void chronopoulos_gear(Watch<Phase>* watch);
  void gropp(Watch<Phase>* watch);
  void pipelined_step(Watch<Phase>* watch);
  void replace();

  // out = A in, out = M^-1 in.
  void product(Watch<Phase>* watch, const Buffer<double>& in, Buffer<double>& out);
  void precondition(Watch<Phase>* watch, const Buffer<double>& in, Buffer<double>& out);
  // Sums of products of pairs of vectors: begun, and ended with `then`, which the first thread calls.
  using Pair = std::pair<const Buffer<double>*, const Buffer<double>*>;
  void reduce(Watch<Phase>* watch, std::span<const Pair> pairs);
  template <class Then>
  void finish(Watch<Phase>* watch, const Then& then);
  // update(rows) on all rows.
  template <class Update>
  void update(Watch<Phase>* watch, const Update& update);

  bool positive(double sum);    // else the solve is broken
  void residual_is(double rr);  // of the next iteration
  void take_both();             // gamma, delta and |r|^2, when reduced together
  double length2(const Buffer<double>& v) const;

  System& system_;
  const Buffer<double>& b_;
  const Choice choice_;
  const Team team_;
  Sums sums_;
  Buffer<double> x_, r_, u_, p_, s_, w_, q_, m_, n_, z_;

  // Written by the first thread, read by all after a barrier.
  double gamma_ = 0, alpha_ = 0, beta_ = 0;
  End end_ = End::none;
  int done_ = 0;
  std::vector<double> history_;
  double of_b_ = 0;
  double limit_ = 0;  // of |r| / |b|
  int patience_ = 0;
  double least_ = 1;
  int least_at_ = 0;
};

}  // namespace tenken::cg_family
