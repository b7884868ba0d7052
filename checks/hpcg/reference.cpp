#include "reference.hpp"

#include <omp.h>

#include "work.hpp"

namespace tenken::hpcg {

namespace {

constexpr auto untimed = [](Step, int) { return 0; };

Work work_of(const Multigrid& multigrid, int ranks, Step step, int level) {
  const Grid& grid = multigrid.grid(step == Step::dot || step == Step::reduction || step == Step::waxpby ? 0 : level);
  switch (step) {
    case Step::halo:
      return halo_work(grid);
    case Step::symgs:
      return symgs_work(grid);
    case Step::spmv:
      return spmv_work(grid);
    case Step::restriction:
    case Step::prolongation:
      return transfer_work(multigrid.grid(level + 1).rows());
    case Step::dot:
      return product_work(grid.rows(), level == 1);
    case Step::reduction:
      return reduction_work(ranks);
    case Step::waxpby:
      break;
  }
  return axpy_work(grid.rows(), sizeof(double));
}

}  // namespace

Reference::Reference(MPI_Comm comm, Multigrid& multigrid)
    : comm_(comm),
      multigrid_(multigrid),
      b_(multigrid.grid(0).vector("the right side")),
      in_(multigrid.grid(0).vector("a vector of a proof")),
      out_(multigrid.grid(0).vector("a product of a proof")) {
  MPI_Comm_size(comm, &ranks_);
}

void Reference::set(const Buffer<double>& b, bool preconditioned) {
  copy(multigrid_.grid(0).rows(), b.data(), b_.data());
  cg_ = std::make_unique<Cg>(comm_, multigrid_, b_, preconditioned);
  cg_->start();
}

void Reference::step(Watch* watch) {
  if (watch == nullptr) return cg_->step(untimed);
  cg_->step(
      [&](Step step, int level) { return Watched(watch, step, level, work_of(multigrid_, ranks_, step, level)); });
}

void Reference::solution(double* x) const { copy(multigrid_.grid(0).rows(), cg_->x().data(), x); }

void Reference::product(const double* x, double* y) {
  Grid& grid = multigrid_.grid(0);
  copy(grid.rows(), x, in_.data());
  grid.exchange(in_.data());
  multiply(grid.matrix(), in_.data(), y);
}

void Reference::precondition(const double* r, double* z) {
  multigrid_.apply(r, out_.data(), untimed);
  copy(multigrid_.grid(0).rows(), out_.data(), z);
}

void Reference::scale_diagonal(const double* by) {
  Csr<double>& a = multigrid_.grid(0).matrix();
  for (std::int64_t row = 0; row < a.rows; ++row) {
    a.value[static_cast<std::size_t>(find_entry(a, row, row) - a.value.data())] =
        (points - 1) * (by == nullptr ? 1 : by[row]);
  }
}

double Reference::working_set_bytes() const {
  double bytes = 0;
  for (int level = 0; level < levels; ++level) {
    const Grid& grid = multigrid_.grid(level);
    bytes += 12.0 * static_cast<double>(grid.matrix().entries()) + 8.0 * 5 * static_cast<double>(grid.rows());
  }
  return bytes;
}

double Reference::read_matrices() const {
  double total = 0;
#pragma omp parallel reduction(+ : total)
  for (int level = 0; level < levels; ++level) {
    const Csr<double>& a = multigrid_.grid(level).matrix();
    total += sum(share_of(a.entries(), omp_get_thread_num(), omp_get_num_threads()), a.value.data());
  }
  return total;
}

std::int64_t Reference::matrix_values() const {
  std::int64_t values = 0;
  for (int level = 0; level < levels; ++level) values += multigrid_.grid(level).matrix().entries();
  return values;
}

}  // namespace tenken::hpcg
