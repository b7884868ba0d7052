#include "device/cg.hpp"

#include "qcd/gauge/start.hpp"
#include "qcd/vectors.hpp"

namespace tenken::lqcd::device {

Cg::Cg(MPI_Comm comm, Device& device, qcd::Wilson& h, const qcd::ExtendedLinks& links, const qcd::Field& b,
       const HoppingOptions& options, const qcd::SolverSections& sections)
    : comm_(comm),
      device_(device),
      sites_(sites_of(h.geometry(), false)),
      h_(h),
      b_(b),
      sections_(sections),
      hopping_(comm, device, sites_, links, colours, options),
      timer_(comm, device, sites_, colours, sizeof(double), sections) {
  for (auto* const field : {&x_, &r_, &p_, &v_, &t_}) *field = make_device_field<double>(device, sites_);
}

void Cg::start() {
  write_field(device_, sites_, 0, b_, x_);
  copy(device_, x_, r_);
  bb_ = dot(r_, r_);
  apply_twice(x_, untimed);
  axpy(device_, -1, v_, r_);
  copy(device_, r_, p_);
  rr_ = dot(r_, r_);
  iteration_ = 0;
}

void Cg::step() {
  const Section solve{sections_.solve};
  apply_twice(p_, timer_.hop(true));
  {
    const auto timed = timer_.dot();
    queue_dot(device_, v_, p_);
  }
  const double a = rr_ / timer_.sum(device_.sums().first);
  {
    const auto timed = timer_.axpy(1);
    axpy(device_, a, p_, x_);
  }
  {
    const auto timed = timer_.axpy(1);
    axpy(device_, -a, v_, r_);
  }
  {
    const auto timed = timer_.norm(1);
    queue_dot(device_, r_, r_);
  }
  const double rr = timer_.sum(device_.sums().first);
  {
    const auto timed = timer_.axpy(1);
    xpay(device_, r_, rr / rr_, p_);
  }
  rr_ = rr;
  ++iteration_;
  timer_.add_samples();
}

double Cg::residual_error() const {
  const qcd::Field x = on_host(x_);
  qcd::Field hx = qcd::make_field(h_.geometry()), v = qcd::make_field(h_.geometry());
  h_.apply(hx, x);
  h_.apply(v, hx);
  qcd::axpy(1, on_host(r_), v);
  qcd::axpy(-1, b_, v);
  double squares[] = {qcd::norm2(v), qcd::norm2(x)};
  MPI_Allreduce(MPI_IN_PLACE, squares, 2, MPI_DOUBLE, MPI_SUM, comm_);
  const double bound = 1 + 8 * std::abs(h_.kappa());
  return std::sqrt(squares[0]) / (std::sqrt(bb_) + bound * bound * std::sqrt(squares[1]));
}

template <class Open>
void Cg::apply_twice(const DeviceField<double>& in, Open open) {
  hopping_.apply(0, t_, in, &in, h_.kappa(), open);
  hopping_.apply(0, v_, t_, &t_, h_.kappa(), open);
}

double Cg::dot(const DeviceField<double>& x, const DeviceField<double>& y) const {
  queue_dot(device_, x, y);
  double sum = device_.sums().first;
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, comm_);
  return sum;
}

qcd::Field Cg::on_host(const DeviceField<double>& field) const {
  qcd::Field out = qcd::make_field(h_.geometry());
  read_field(device_, sites_, 0, field, out);
  return out;
}

}  // namespace tenken::lqcd::device
