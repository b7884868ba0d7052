// Independent chains of x = a x + b in registers: nothing but multiply-adds, so the rate is the peak of the units.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/host_device.hpp"

namespace fma_peak {

enum class Precision { double_, single };

// The greater of two errors; NaN if either is, which std::max would hide.
TENKEN_HOST_DEVICE inline double greater(double a, double b) { return a != a || a >= b ? a : b; }

struct Kernel {
  std::string_view isa;               // "avx512", "avx2", "sse2", "neon", "scalar"
  std::int64_t flop_per_loop;         // 2 x lanes x chains x unrolling
  double (*run)(std::int64_t loops);  // greatest |x - 1| over all chains and lanes at the end
};

// The kernel of an instruction set; `isa` "best" is the widest that this processor has. Throws UserError when this
// processor or this build has it not.
Kernel kernel_for(std::string_view isa, Precision precision);

}  // namespace fma_peak
