#include "cg.hpp"

namespace tenken::hpcg {

Cg::Cg(MPI_Comm comm, Multigrid& multigrid, const Buffer<double>& b, bool preconditioned)
    : comm_(comm),
      multigrid_(multigrid),
      b_(b),
      preconditioned_(preconditioned),
      x_(multigrid.grid(0).vector("the solution")),
      r_(multigrid.grid(0).vector("the residual")),
      z_(multigrid.grid(0).vector("the preconditioned residual")),
      p_(multigrid.grid(0).vector("the direction")),
      q_(multigrid.grid(0).vector("the matrix times the direction")),
      dots_(multigrid.grid(0).rows()) {}

void Cg::start() {
  const std::int64_t n = multigrid_.grid(0).rows();
  fill(n, 0.0, x_.data());
  fill(n, 0.0, p_.data());
  copy(n, b_.data(), r_.data());
  bb_ = rr_ = dot(r_.data(), r_.data(), [](Step, int) { return 0; });
  iteration_ = 0;
}

}  // namespace tenken::hpcg
