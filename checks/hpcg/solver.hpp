// What every variant offers: what is timed, proved and tested.
#pragma once

#include <mpi.h>

#include "base/buffer.hpp"
#include "base/work.hpp"

namespace tenken::hpcg {

enum class Step { halo, symgs, spmv, restriction, prolongation, dot, reduction, waxpby };

// Told by the first thread when a part of an iteration begins, with its work, and when it ends.
class Watch {
 public:
  virtual ~Watch() = default;
  virtual void enter(Step step, int level, const Work& work) = 0;
  virtual void leave() = 0;
  // A part that another clock times, in its turn; and the length of each, in the same order, at the iteration's end.
  virtual void queue(Step step, int level, const Work& work) = 0;
  virtual void took(double ns) = 0;
};

class Watched {
 public:
  Watched(Watch* watch, Step step, int level, const Work& work) : watch_(watch) {
    if (watch_ != nullptr) watch_->enter(step, level, work);
  }
  ~Watched() {
    if (watch_ != nullptr) watch_->leave();
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

 private:
  Watch* watch_;
};

// Conjugate gradients as the rule book has them: x = 0; r = b; then repeatedly
//
//   z = M^-1 r; p = z + ((r, z) / (r, z of before)) p; a = (r, z) / (p, A p); x += a p; r -= a A p; |r|.
//
// Vectors that are handed in and out hold the rows of this rank in their natural order. All calls are collective.
class Solver {
 public:
  virtual ~Solver() = default;

  // Right side of the solves that follow; without preconditioning z = r.
  virtual void set(const Buffer<double>& b, bool preconditioned = true) = 0;
  virtual void start() = 0;
  // One iteration; watch may be null. Work is what the rule book counts as flop, and the compulsory bytes of the
  // variant.
  virtual void step(Watch* watch) = 0;
  virtual int iteration() const = 0;
  virtual double residual() const = 0;  // recursive |r| / |b|
  virtual void solution(double* x) const = 0;

  virtual void product(const double* x, double* y) = 0;       // y = A x
  virtual void precondition(const double* r, double* z) = 0;  // z = M^-1 r
  // The diagonal of the finest grid times by[row]; null: as it was.
  virtual void scale_diagonal(const double* by) = 0;

  virtual double working_set_bytes() const = 0;  // of this rank, in an iteration
  // Sums over the values of the matrices, which are read once by all threads; and how many there are.
  virtual double read_matrices() const = 0;
  virtual std::int64_t matrix_values() const = 0;
};

}  // namespace tenken::hpcg
