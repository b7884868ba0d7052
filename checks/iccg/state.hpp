// Vectors and scalars of an ICCG solve, and which part of them belongs to which thread.
#pragma once

#include <vector>

#include "numerics/dots.hpp"
#include "solver.hpp"

namespace iccg {

struct State {
  State(const tenken::Coloured& matrix, std::span<const double> rhs, Faults faults);

  void start();
  int threads() const { return threads_; }
  tenken::Range own(int thread, int colour) const {
    return parts_[static_cast<std::size_t>(thread * a.colours() + colour)];
  }
  template <class Use>
  void over_rows(int thread, const Use& use) const {
    for (int colour = 0; colour < a.colours(); ++colour) {
      const tenken::Range chunks = own(thread, colour);
      use(tenken::Range{chunks.first * a.c, chunks.last * a.c});
    }
  }
  double dot(int thread, const tenken::Buffer<double>& u, const tenken::Buffer<double>& v) const {
    double sum = 0;
    over_rows(thread, [&](tenken::Range rows) { sum += tenken::dot(rows, u.data(), v.data()); });
    return sum;
  }
  void backward(tenken::Range chunks);
  double& part(int which, int thread) { return partial_[static_cast<std::size_t>(thread)].of[which]; }

  const tenken::Coloured& a;
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
  int threads_;
  bool unsymmetric_;
  std::vector<tenken::Range> parts_;
  std::vector<Partial> partial_;
};

}  // namespace iccg
