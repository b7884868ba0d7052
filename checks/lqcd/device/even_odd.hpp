// The solvers of qcd/lanes/even_odd.hpp on a device: the same equations and recursions, one right-hand side.
#pragma once

#include <mpi.h>

#include <memory>

#include "device/hopping.hpp"
#include "qcd/lanes/even_odd.hpp"

namespace tenken::lqcd::device {

struct EvenOddOptions {
  bool mixed = false;  // iterations in single precision
  int rows = colours;  // of each link in the iterations, 3 or 2
  HoppingOptions hopping{};
  qcd::SolverSections sections{};
};

// Of D x = b. Collective; device, geometry, links and source stay with the caller. Throws UserError where an extent of
// the block is odd, and where the device has not the memory.
std::unique_ptr<qcd::EvenOddSolver> make_even_odd(MPI_Comm comm, Device& device, const qcd::Geometry& geometry,
                                                  const qcd::ExtendedLinks& links, double kappa,
                                                  const qcd::Field& source, const EvenOddOptions& options);

}  // namespace tenken::lqcd::device
