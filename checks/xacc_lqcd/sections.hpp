// The sections that a version tells of, by name, become those of the check.
#pragma once

#include "work.hpp"

namespace tenken::xacc_lqcd {

// From now on sections count, until `Timed` goes. An iteration has its vector operations in one order: (v, p), two
// combinations, |r|^2, and a combination.
class Timed {
 public:
  Timed(const Block& block, int ranks_t, int ranks_z);
  ~Timed();
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;
};

// Once: versions tell this from now on.
void listen();

}  // namespace tenken::xacc_lqcd
