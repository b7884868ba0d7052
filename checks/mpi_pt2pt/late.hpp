// From which size on a send waits for its receiver: the switch from eager messages to a rendezvous, found by letting
// the receiver come late.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "base/buffer.hpp"

namespace mpi_pt2pt {

// The largest size in [0, largest] for which `waits` is false; it is false below and true above some size. `waits` is
// asked for sizes in [1, largest].
std::int64_t last_that_does_not(const std::function<bool(std::int64_t)>& waits, std::int64_t largest);

class LateReceiver {
 public:
  // Both partners make one; sizes up to `largest` bytes. Each of the pair calls the same functions in the same order.
  LateReceiver(MPI_Comm comm, int partner, std::int64_t largest);

  // How long MPI_Send of the lower rank takes, in us, while the other is busy elsewhere for `delay_us()`: median of
  // seven. The same on both.
  double send_us(std::int64_t size);
  double delay_us() const { return delay_us_; }

  // The largest message that a send does not wait for; -1 where it waits for none up to `largest`.
  std::int64_t eager_limit();

 private:
  double send_once(std::int64_t size, double delay_us);
  double agreed(double value);

  MPI_Comm comm_;
  int partner_;
  bool sends_;
  std::int64_t largest_;
  tenken::Buffer<std::byte> message_;
  double delay_us_ = 0;
};

}  // namespace mpi_pt2pt
