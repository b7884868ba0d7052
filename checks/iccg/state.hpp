// Vectors and scalars of an ICCG solve, and which part of them belongs to which thread.
#pragma once

#include <vector>

#include "numerics/shares.hpp"
#include "solver.hpp"

namespace iccg {

struct State {
  State(const tenken::Coloured& matrix, std::span<const double> rhs, Faults faults);

  void start();
  void backward(tenken::Range chunks);
  double& part(int which, int thread) { return partial_[static_cast<std::size_t>(thread)].of[which]; }

  const tenken::Coloured& a;
  const tenken::Shares shares;
  tenken::Buffer<double> b, x, r, z, p, q;
  double rho = 0;   // of the iteration before, 0 before the first
  double of_b = 0;  // |b|
  End end = End::none;
  int done = 0;
  std::vector<double> residuals;

 private:
  struct alignas(64) Partial {
    double of[3] = {};
  };
  bool unsymmetric_;
  std::vector<Partial> partial_;
};

}  // namespace iccg
