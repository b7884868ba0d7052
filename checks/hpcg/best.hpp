// The variant that is as fast as is known here: sweeps in eight colours on compressed chunks
// (numerics/gauss_seidel.hpp), all threads in one region with a barrier of their own, sums with the loops that make
// their numbers, residuals only where the next grid keeps them. It is another order of the same sweeps, so it may need
// more iterations, for which it is charged.
#pragma once

#include <memory>
#include <vector>

#include "multigrid.hpp"
#include "numerics/barrier.hpp"
#include "numerics/gauss_seidel.hpp"
#include "solver.hpp"

namespace tenken::hpcg {

class Best : public Solver {
 public:
  // Made from the matrices of the grids, which it needs no more afterwards. As many threads as OpenMP has now.
  Best(MPI_Comm comm, const Multigrid& grids, const Faults& faults);

  void set(const Buffer<double>& b, bool preconditioned) override;
  void start() override;
  void step(Watch* watch) override;
  int iteration() const override { return iteration_; }
  double residual() const override;
  void solution(double* x) const override { at(0).a.scatter(x_.data(), x); }
  void product(const double* x, double* y) override;
  void precondition(const double* r, double* z) override;
  void scale_diagonal(const double* by) override { at(0).a.scale_diagonal(by); }
  double working_set_bytes() const override;
  double read_matrices() const override;
  std::int64_t matrix_values() const override;

  double runs() const;  // part of the slots of the finest grid whose columns are stored as one

  // Bytes of a rank beside what it is made from: matrices, diagonals and vectors of each grid, and the solver's
  // vectors.
  static double bytes(const Index<3>& cells);

 private:
  struct Level {
    Level(MPI_Comm comm, const Grid& grid);
    GaussSeidel a;
    Exchange exchange;
    Buffer<std::int32_t> to;  // where the cells that the next grid keeps lie there
    Buffer<double> rest;      // r - L x
    Buffer<double> r, x;      // of the levels below the finest
    Work halo, from_zero, sweep, restriction, prolongation;
  };
  struct Mine {
    SpinBarrier& barrier;
    int thread;
    Watch* watch;  // of the first thread
  };
  struct alignas(64) Part {
    double of[3] = {};
  };

  Level& at(int level) { return *levels_[static_cast<std::size_t>(level)]; }
  const Level& at(int level) const { return *levels_[static_cast<std::size_t>(level)]; }
  Range own(int level, int colour, const Mine& mine) const { return at(level).a.own(colour, mine.thread, threads_); }
  void state_work(int level, const Grid& grid);
  // A planted mistake: backward sweeps of the finest grid leave this colour out.
  bool lost(int level, int colour) const { return faults_.lost_colour && level == 0 && colour == 3; }

  // By every thread of the team; each ends in step with the others.
  void iterate(const Mine& mine);
  void exchange(const Mine& mine, int level, double* x);
  double cycle(const Mine& mine, int level, const double* r, double* x);  // returns this thread's part of r.x
  void smooth_from_zero(const Mine& mine, int level, const double* r, double* x);
  double smooth(const Mine& mine, int level, const double* r, double* x);
  void restrict_residual(const Mine& mine, int level, const double* r, const double* x);
  void prolong(const Mine& mine, int level, double* x);
  double sum(const Mine& mine, int which);  // of the parts of all threads and ranks
  template <class Body>
  void team(Watch* watch, const Body& body);

  MPI_Comm comm_;
  Faults faults_;
  int threads_;
  std::vector<std::unique_ptr<Level>> levels_;
  Buffer<double> b_, x_, r_, z_, p_, q_;
  std::vector<Part> parts_;
  Work spmv_, direction_, update_, reduction_;
  bool preconditioned_ = true;
  double total_ = 0;  // of the sum that was made last
  double bb_ = 0, rr_ = 0, rz_ = 0;
  int iteration_ = 0;
};

}  // namespace tenken::hpcg
