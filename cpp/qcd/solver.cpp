#include "qcd/solver.hpp"

#include <cmath>

#include "qcd/cg.hpp"
#include "qcd/gauge/start.hpp"
#include "qcd/vectors.hpp"

namespace tenken::qcd {

namespace {

class NormalSolver : public LinearSolver {
 public:
  NormalSolver(MPI_Comm comm, Wilson& h, const SolverSections& sections)
      : h_(h), rhs_(make_field(h.geometry())), cg_(comm, h, rhs_, sections) {}

  int sources() const override { return 1; }
  void take(std::span<const Field> b) override {
    Field turned = make_field(h_.geometry());
    gamma_5(b[0], turned);
    h_.apply(rhs_, turned);  // D^dagger b = gamma_5 D gamma_5 b
  }
  void start() override {
    cg_.start();
    stopped_ = false;
  }
  void step() override {
    if (!stopped_) cg_.step();
  }
  void stop(int) override { stopped_ = true; }
  int iteration() const override { return cg_.iteration(); }
  double residual(int) const override { return std::sqrt(cg_.residual()); }
  void solution(std::span<Field> x) override { copy(cg_.x(), x[0]); }
  double residual_error(int, double) override { return cg_.residual_error(); }

 private:
  Wilson& h_;
  Field rhs_;
  Cg cg_;
  bool stopped_ = false;
};

}  // namespace

std::unique_ptr<LinearSolver> make_normal(MPI_Comm comm, Wilson& h, const SolverSections& sections) {
  return std::make_unique<NormalSolver>(comm, h, sections);
}

double residual_of(MPI_Comm comm, Wilson& h, const Field& b, const Field& x, Field& r) {
  Field hx = make_field(h.geometry());
  h.apply(hx, x);
  gamma_5(hx, r);
  xpay(b, -1, r);
  double rr = norm2(r);
  MPI_Allreduce(MPI_IN_PLACE, &rr, 1, MPI_DOUBLE, MPI_SUM, comm);
  return std::sqrt(rr);
}

}  // namespace tenken::qcd
