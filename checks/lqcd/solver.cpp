#include "solver.hpp"

#include <cmath>

#include "cg.hpp"
#include "gauge/start.hpp"
#include "vectors.hpp"

namespace tenken::lqcd {

namespace {

class NormalSolver : public LinearSolver {
 public:
  NormalSolver(MPI_Comm comm, Wilson& h) : h_(h), rhs_(make_field(h.geometry())), cg_(comm, h, rhs_) {}

  void take(const Field& b) override {
    Field turned = make_field(h_.geometry());
    gamma_5(b, turned);
    h_.apply(rhs_, turned);  // D^dagger b = gamma_5 D gamma_5 b
  }
  void start() override { cg_.start(); }
  void step() override { cg_.step(); }
  int iteration() const override { return cg_.iteration(); }
  double residual() const override { return std::sqrt(cg_.residual()); }
  void solution(Field& x) override { copy(cg_.x(), x); }
  double residual_error(double) override { return cg_.residual_error(); }

 private:
  Wilson& h_;
  Field rhs_;
  Cg cg_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_normal(MPI_Comm comm, Wilson& h) { return std::make_unique<NormalSolver>(comm, h); }

double residual_of(MPI_Comm comm, Wilson& h, const Field& b, const Field& x, Field& r) {
  Field hx = make_field(h.geometry());
  h.apply(hx, x);
  gamma_5(hx, r);
  xpay(b, -1, r);
  double rr = norm2(r);
  MPI_Allreduce(MPI_IN_PLACE, &rr, 1, MPI_DOUBLE, MPI_SUM, comm);
  return std::sqrt(rr);
}

}  // namespace tenken::lqcd
