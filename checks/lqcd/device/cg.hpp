// The conjugate gradients of qcd/cg.hpp on a device: the same recursion on the whole block, in double precision.
#pragma once

#include <mpi.h>

#include <cmath>

#include "device/hopping.hpp"
#include "device/timer.hpp"
#include "device/vectors_run.hpp"
#include "qcd/cg.hpp"

namespace tenken::lqcd::device {

class Cg {
 public:
  // Collective; device, `h` (the plain operator on the same links), `links` and b stay with the caller.
  Cg(MPI_Comm comm, Device& device, qcd::Wilson& h, const qcd::ExtendedLinks& links, const qcd::Field& b,
     const HoppingOptions& options, const qcd::SolverSections& sections);

  void start();  // x = b; not timed
  void step();   // one iteration, timed

  int iteration() const { return iteration_; }
  double residual() const { return rr_ / bb_; }  // recursive |r|^2 / |b|^2
  qcd::Field x() const { return on_host(x_); }

  // As of qcd::Cg, with the plain operator of the host: it proves the operator of the device, too.
  double residual_error() const;

 private:
  template <class Open>
  void apply_twice(const DeviceField<double>& in, Open open);                    // v = H^2 in
  double dot(const DeviceField<double>& x, const DeviceField<double>& y) const;  // over all ranks, not timed
  qcd::Field on_host(const DeviceField<double>& field) const;

  MPI_Comm comm_;
  Device& device_;
  Sites sites_;
  qcd::Wilson& h_;
  const qcd::Field& b_;
  qcd::SolverSections sections_;
  Hopping<double> hopping_;
  Timer timer_;
  DeviceField<double> x_, r_, p_, v_, t_;
  double bb_ = 0;
  double rr_ = 0;
  int iteration_ = 0;
};

}  // namespace tenken::lqcd::device
