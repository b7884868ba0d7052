// Everything that is sent but by a scan: pairs, then rank 0 with several partners.
#pragma once

#include "curve.hpp"
#include "fan.hpp"

namespace mpi_pt2pt {

class Patterns {
 public:
  Patterns(tenken::Check& check, int partner, Way way) : curve_(check, partner, way), fan_(check, way) {}
  void pass() {
    curve_.pass();
    fan_.pass();
  }
  std::int64_t wrong() const { return curve_.wrong() + fan_.wrong(); }

 private:
  Curve curve_;
  Fan fan_;
};

}  // namespace mpi_pt2pt
