// Halos of a group of fields, all in one message to each neighbour.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>

#include "columns.hpp"
#include "parallel/exchange.hpp"
#include "patch.hpp"
#include "phases.hpp"

namespace atmosphere {

class Halo {
 public:
  // Collective. Fields of `levels` values an item.
  Halo(MPI_Comm comm, const Patch& patch, int fields, int levels = 1, Order order = Order::by_column);
  void exchange(std::span<double* const> fields, StepWatch* watch);  // collective
  std::int64_t messages() const { return exchange_.messages(); }
  std::int64_t bytes() const { return exchange_.bytes(); }
  void leave_out(bool stale) { stale_ = stale; }  // a fault: the halo has old values

 private:
  int pieces_;  // of a field
  std::int64_t items_;
  tenken::Exchange exchange_;
  bool stale_ = false;
};

}  // namespace atmosphere
