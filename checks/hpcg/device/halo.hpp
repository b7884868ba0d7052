// Values of other ranks for vectors on a card: packed by a kernel, sent from and received in pinned memory of the host.
#pragma once

#include <optional>

#include "device/sell.hpp"
#include "parallel/exchange.hpp"

namespace tenken::hpcg::device {

class Halo {
 public:
  // Collective. The device stays with the caller.
  Halo(MPI_Comm comm, Device& device, const Grid& grid, const Places& places);

  bool empty() const { return sent_ + received_ == 0; }
  // With `stale`, a planted mistake, what others have never arrives.
  void exchange(double* x, bool stale);

 private:
  Device& device_;
  std::int64_t sent_ = 0, received_ = 0;  // values
  std::int64_t padded_;                   // rows in vectors, before the values of others
  Memory<std::int32_t> places_;           // of what is sent
  Memory<double> packed_;
  Memory<double, true> host_;  // what is sent, then what is received
  std::optional<Exchange> exchange_;
};

}  // namespace tenken::hpcg::device
