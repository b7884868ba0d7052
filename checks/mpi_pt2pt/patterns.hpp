// Everything that is sent but by a scan: pairs, then rank 0 with several partners.
#pragma once

#include "curve.hpp"
#include "fan.hpp"
#include "lane.hpp"
#include "this_check.hpp"

namespace mpi_pt2pt {

class Patterns {
 public:
  Patterns(tenken::Check& check, int partner, Way way)
      : curve_(check, partner,
               [&](std::int64_t size) {
                 return std::make_unique<Lane>(check.comm(), partner, static_cast<std::size_t>(size), way);
               },
               {this_check::section::exchange, this_check::section::one_way, this_check::section::both_ways}),
        fan_(check, way) {}
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
