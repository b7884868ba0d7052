// Conjugate gradients as the rule book has them: x = 0; r = b; then repeatedly
//
//   z = M^-1 r; p = z + ((r, z) / (r, z of before)) p; a = (r, z) / (p, A p); x += a p; r -= a A p; |r|.
#pragma once

#include <cmath>

#include "multigrid.hpp"

namespace tenken::hpcg {

class Cg {
 public:
  // Collective; what is given stays with the caller. Without preconditioning z = r.
  Cg(MPI_Comm comm, Multigrid& multigrid, const Buffer<double>& b, bool preconditioned = true);

  void start();
  // One iteration. open(step, level) is called before each of its parts, and what it returns lives until the part's
  // end.
  template <class Open>
  void step(const Open& open);

  int iteration() const { return iteration_; }
  double residual() const { return std::sqrt(rr_ / bb_); }  // recursive |r| / |b|
  const Buffer<double>& x() const { return x_; }

 private:
  template <class Open>
  double dot(const double* x, const double* y, const Open& open);

  MPI_Comm comm_;
  Multigrid& multigrid_;
  const Buffer<double>& b_;
  bool preconditioned_;
  Buffer<double> x_, r_, z_, p_, q_;
  Dots dots_;
  double bb_ = 0, rr_ = 0, rz_ = 0;
  int iteration_ = 0;
};

template <class Open>
double Cg::dot(const double* x, const double* y, const Open& open) {
  double sum = 0;
  {
    [[maybe_unused]] const auto part = open(Step::dot, x == y ? 1 : 0);
    sum = dots_(x, y);
  }
  [[maybe_unused]] const auto part = open(Step::reduction, 0);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, comm_);
  return sum;
}

template <class Open>
void Cg::step(const Open& open) {
  Grid& grid = multigrid_.grid(0);
  const std::int64_t n = grid.rows();
  if (preconditioned_) {
    multigrid_.apply(r_.data(), z_.data(), open);
  } else {
    copy(n, r_.data(), z_.data());
  }
  const double rz = dot(r_.data(), z_.data(), open);
  {
    [[maybe_unused]] const auto part = open(Step::waxpby, 0);
    xpay(n, z_.data(), iteration_ == 0 ? 0.0 : rz / rz_, p_.data());
  }
  rz_ = rz;
  {
    [[maybe_unused]] const auto part = open(Step::halo, 0);
    grid.exchange(p_.data());
  }
  {
    [[maybe_unused]] const auto part = open(Step::spmv, 0);
    multiply(grid.matrix(), p_.data(), q_.data());
  }
  const double a = rz / dot(p_.data(), q_.data(), open);
  {
    [[maybe_unused]] const auto part = open(Step::waxpby, 0);
    axpy(n, a, p_.data(), x_.data());
  }
  {
    [[maybe_unused]] const auto part = open(Step::waxpby, 0);
    axpy(n, -a, q_.data(), r_.data());
  }
  rr_ = dot(r_.data(), r_.data(), open);
  ++iteration_;
}

}  // namespace tenken::hpcg
