#include "cg.hpp"

#include <cmath>

namespace tenken::elasticity {

Cg::Cg(System& system, const Buffer<double>& load)
    : system_(system),
      load_(load),
      x_(make_array<double>(system.numbers(), "the displacement")),
      r_(make_array<double>(system.numbers(), "the residual")),
      z_(make_array<double>(system.numbers(), "the preconditioned residual")),
      q_(make_array<double>(system.numbers(), "the matrix times the direction")),
      dots_(system.numbers()) {}

double Cg::sum(double local) const {
  MPI_Allreduce(MPI_IN_PLACE, &local, 1, MPI_DOUBLE, MPI_SUM, system_.comm());
  return local;
}

void Cg::start() {
  const std::int64_t n = system_.numbers();
  fill(n, 0.0, x_.data());
  copy(n, load_.data(), r_.data());
  system_.precondition(r_.data(), z_.data());
  copy(n, z_.data(), system_.operand());
  bb_ = rr_ = sum(dots_(r_.data(), r_.data()));
  rz_ = sum(dots_(r_.data(), z_.data()));
  iteration_ = 0;
}

double Cg::residual() const { return std::sqrt(rr_ / bb_); }

Cg::Residuals Cg::residuals(double norm) {
  const std::int64_t n = system_.numbers();
  const auto length = [&](const Buffer<double>& v) { return std::sqrt(sum(dots_(v.data(), v.data()))); };
  copy(n, x_.data(), system_.operand());
  system_.exchange();
  system_.multiply(q_.data());
  waxpby(n, 1.0, load_.data(), -1.0, q_.data(), q_.data());
  const double anew = length(q_);
  axpy(n, -1.0, r_.data(), q_.data());
  return {anew / std::sqrt(bb_), length(q_) / (std::sqrt(bb_) + norm * length(x_))};
}

}  // namespace tenken::elasticity
