// The variant `cuda`: the iteration of `best` on a card, in the same colours and with the same sweeps (best.hpp), a
// thread a row. Vectors and matrices stay on the card; the values of other ranks travel through the host.
#pragma once

#include <memory>
#include <vector>

#include "device/halo.hpp"
#include "device/parts.hpp"
#include "multigrid.hpp"

namespace tenken::hpcg {

class Card : public Solver {
 public:
  // Made from the matrices of the grids, which it needs no more afterwards. The device stays with the caller.
  // Collective. Throws UserError where the card has too little memory.
  Card(MPI_Comm comm, device::Device& device, const Multigrid& grids, const Faults& faults);

  void set(const Buffer<double>& b, bool preconditioned) override;
  void start() override;
  void step(Watch* watch) override;
  int iteration() const override { return iteration_; }
  double residual() const override;
  void solution(double* x) const override { read(x_, x); }
  void product(const double* x, double* y) override;
  void precondition(const double* r, double* z) override;
  void scale_diagonal(const double* by) override;
  double working_set_bytes() const override;
  double read_matrices() const override;
  std::int64_t matrix_values() const override;

  // Bytes of a rank on the card by formula, with all slots of rows as long as those inside of a box.
  static double bytes(const Index<3>& cells);
  // Bytes of a rank on the host beside the grids: those of the reference, which runs first, and needs more.
  static double host_bytes(const Index<3>& cells) { return 8 * 9 * static_cast<double>(tenken::product(cells)); }

 private:
  using Vector = device::Memory<double>;
  struct Level {
    Level(MPI_Comm comm, device::Device& device, const Grid& grid);
    device::Places places;
    device::Sell a;
    device::Halo halo;
    Vector rest, r, x;                // r - L x; r and x of the levels below the finest
    device::Memory<std::int32_t> to;  // where the rows of the last colour lie in the next grid
    Work exchange, from_zero, sweep, restriction, prolongation;
  };

  Level& at(int level) { return *levels_[static_cast<std::size_t>(level)]; }
  const Level& at(int level) const { return *levels_[static_cast<std::size_t>(level)]; }
  Vector vector(int level, const char* purpose);
  void link(int level);  // to the next grid
  void state_work(int level, const Grid& grid);
  void write(const double* rows, Vector& to);
  void read(const Vector& from, double* rows) const;
  // A planted mistake: backward sweeps of the finest grid leave this colour out.
  bool lost(int level, int colour) const { return faults_.lost_colour && level == 0 && colour == 3; }
  template <class Body>
  void each_row(int level, int colour, Body body);

  void exchange(int level, double* x);
  void cycle(int level, const double* r, double* x);
  void smooth_from_zero(int level, const double* r, double* x);
  void smooth(int level, const double* r, double* x);
  void restrict_residual(int level, const double* r, const double* x);
  void prolong(int level, double* x);
  void multiply(const double* x, double* y);
  double dot(const Vector& x, const Vector& y);

  MPI_Comm comm_;
  device::Device& device_;
  Faults faults_;
  int ranks_ = 1;
  std::vector<std::unique_ptr<Level>> levels_;
  Vector b_, x_, r_, z_, p_, q_;
  device::Parts parts_;
  Work spmv_;
  bool preconditioned_ = true;
  double bb_ = 0, rr_ = 0, rz_ = 0;
  int iteration_ = 0;
};

}  // namespace tenken::hpcg
