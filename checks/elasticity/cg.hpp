// Conjugate gradients with the block-diagonal preconditioner M:
//
//   x = 0; r = b; z = M^-1 r; p = z; then repeatedly
//   q = A p; a = (r, z) / (p, q); x += a p; r -= a q; z = M^-1 r; p = z + ((r', z') / (r, z)) p    until |r| <= t |b|.
#pragma once

#include "numerics/dots.hpp"
#include "numerics/vectors.hpp"
#include "system.hpp"

namespace tenken::elasticity {

enum class Step { halo, spmv, precond, dot, reduction, axpy };

class Cg {
 public:
  // Collective; system and load stay with the caller. The system's operand is p.
  Cg(System& system, const Buffer<double>& load);

  void start();
  // One iteration. open(step, what) is called before each of its parts, and what it returns lives until the part's end.
  template <class Open>
  void step(const Open& open);

  int iteration() const { return iteration_; }
  double residual() const;  // recursive |r| / |b|
  const Buffer<double>& x() const { return x_; }

  struct Residuals {
    double anew;  // |b - A x| / |b|
    double gap;   // |(b - A x) - r| / (|b| + norm |x|): in units of what rounding of b - A x may cost
  };
  // norm: of the operator. Ends the solve: p and q are lost.
  Residuals residuals(double norm);

  static constexpr int vectors = 5;  // x, r, z, p, q

 private:
  double sum(double local) const;

  System& system_;
  const Buffer<double>& load_;
  Buffer<double> x_, r_, z_, q_;
  Dots dots_;
  double bb_ = 0, rr_ = 0, rz_ = 0;
  int iteration_ = 0;
};

template <class Open>
void Cg::step(const Open& open) {
  const std::int64_t n = system_.numbers();
  double* const p = system_.operand();
  {
    [[maybe_unused]] const auto part = open(Step::halo, 1);
    system_.exchange();
  }
  {
    [[maybe_unused]] const auto part = open(Step::spmv, 1);
    system_.multiply(q_.data());
  }
  double pq = 0;
  {
    [[maybe_unused]] const auto part = open(Step::dot, 2);
    pq = dots_(p, q_.data());
  }
  {
    [[maybe_unused]] const auto part = open(Step::reduction, 1);
    pq = sum(pq);
  }
  const double a = rz_ / pq;
  {
    [[maybe_unused]] const auto part = open(Step::axpy, 2);
    axpy(n, a, p, x_.data());
    axpy(n, -a, q_.data(), r_.data());
  }
  {
    [[maybe_unused]] const auto part = open(Step::precond, 1);
    system_.precondition(r_.data(), z_.data());
  }
  double both[2];
  {
    [[maybe_unused]] const auto part = open(Step::dot, 3);
    both[0] = dots_(r_.data(), z_.data());
    both[1] = dots_(r_.data(), r_.data());
  }
  {
    [[maybe_unused]] const auto part = open(Step::reduction, 2);
    MPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_DOUBLE, MPI_SUM, system_.comm());
  }
  const double b = both[0] / rz_;
  {
    [[maybe_unused]] const auto part = open(Step::axpy, 1);
    xpay(n, z_.data(), b, p);
  }
  rz_ = both[0];
  rr_ = both[1];
  ++iteration_;
}

}  // namespace tenken::elasticity
