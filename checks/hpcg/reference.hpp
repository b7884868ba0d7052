// The variant of the rule book: natural order, compressed rows, a sweep by one thread.
#pragma once

#include <memory>

#include "cg.hpp"
#include "solver.hpp"

namespace tenken::hpcg {

class Reference : public Solver {
 public:
  // The grids stay with the caller.
  Reference(MPI_Comm comm, Multigrid& multigrid);

  void set(const Buffer<double>& b, bool preconditioned) override;
  void start() override { cg_->start(); }
  void step(Watch* watch) override;
  int iteration() const override { return cg_->iteration(); }
  double residual() const override { return cg_->residual(); }
  void solution(double* x) const override;
  void product(const double* x, double* y) override;
  void precondition(const double* r, double* z) override;
  void scale_diagonal(const double* by) override;
  double working_set_bytes() const override;
  double read_matrices() const override;
  std::int64_t matrix_values() const override;

  // Bytes of a rank beside the grids: its vectors, the right side and those of proofs.
  static double bytes(const Index<3>& cells) { return 8 * (8 + 1 + 4) * static_cast<double>(tenken::product(cells)); }

 private:
  MPI_Comm comm_;
  Multigrid& multigrid_;
  Buffer<double> b_, in_, out_;
  std::unique_ptr<Cg> cg_;
  int ranks_ = 1;
};

}  // namespace tenken::hpcg
