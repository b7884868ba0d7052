#include "qcd/cg.hpp"

#include <cmath>

#include "measure/section.hpp"
#include "qcd/gauge/start.hpp"
#include "qcd/work.hpp"

namespace tenken::qcd {

namespace {

// The section of each step of the operator, with its work.
Section timed(const SolverSections& section, Step step, const Geometry& g) {
  switch (step) {
    case Step::pack:
      return Section(section.pack, pack_work(g));
    case Step::start:
      return Section(section.communication, exchange_work(g));
    case Step::interior:
      return Section(section.hop, interior_work(g));
    case Step::wait:
      return Section(section.wait);
    case Step::boundary:
      return Section(section.hop, boundary_work(g));
    case Step::unpack:
    case Step::sent:
      break;
  }
  return Section(section.communication);
}

}  // namespace

Cg::Cg(MPI_Comm comm, Wilson& h, const Field& b, const SolverSections& sections)
    : comm_(comm),
      sections_(sections),
      h_(h),
      b_(b),
      x_(make_field(h.geometry())),
      r_(make_field(h.geometry())),
      p_(make_field(h.geometry())),
      v_(make_field(h.geometry())),
      t_(make_field(h.geometry())) {
  MPI_Comm_size(comm, &ranks_);
}

void Cg::start() {
  copy(b_, x_);
  h_.apply(t_, x_);
  h_.apply(v_, t_);
  copy(b_, r_);
  axpy(-1, v_, r_);
  copy(r_, p_);
  bb_ = global_untimed(norm2(b_));
  rr_ = global_untimed(norm2(r_));
  iteration_ = 0;
}

void Cg::step() {
  const Geometry& g = h_.geometry();
  Section solve{sections_.solve};
  apply_twice(p_);
  double pv = 0;
  {
    Section s{sections_.dot, sum_work(g, 2)};
    pv = dot(v_, p_);
  }
  const double a = rr_ / global(pv);
  {
    Section s{sections_.axpy, axpy_work(g)};
    axpy(a, p_, x_);
  }
  {
    Section s{sections_.axpy, axpy_work(g)};
    axpy(-a, v_, r_);
  }
  double rr = 0;
  {
    Section s{sections_.norm, sum_work(g, 1)};
    rr = norm2(r_);
  }
  rr = global(rr);
  {
    Section s{sections_.axpy, axpy_work(g)};
    xpay(r_, rr / rr_, p_);
  }
  rr_ = rr;
  ++iteration_;
}

double Cg::residual_error() {
  h_.apply(t_, x_);
  h_.apply(v_, t_);
  axpy(1, r_, v_);
  axpy(-1, b_, v_);
  const double bound = 1 + 8 * std::abs(h_.kappa());
  return std::sqrt(global_untimed(norm2(v_))) / (std::sqrt(bb_) + bound * bound * std::sqrt(global_untimed(norm2(x_))));
}

void Cg::apply_twice(const Field& in) {
  const auto open = [&](Step step) { return timed(sections_, step, h_.geometry()); };
  h_.apply(t_, in, open);
  h_.apply(v_, t_, open);
}

double Cg::global(double local) {
  Section s{sections_.reduction, reduction_work(ranks_)};
  return global_untimed(local);
}

double Cg::global_untimed(double local) const {
  MPI_Allreduce(MPI_IN_PLACE, &local, 1, MPI_DOUBLE, MPI_SUM, comm_);
  return local;
}

}  // namespace tenken::qcd
