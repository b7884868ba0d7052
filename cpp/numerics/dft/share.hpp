// Which orbitals a rank works on, and what ranks of the same k-point exchange; handed in by who has their communicator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "numerics/team.hpp"

namespace tenken::dft {

struct Share {
  Range k;      // of System::k_points
  Range bands;  // occupied, of each of these k
  std::int64_t orbitals() const { return k.size() * bands.size(); }
  bool operator==(const Share&) const = default;
};

// Ranks that have the same k-points and divide their bands. Called outside of parallel regions or by the first thread.
struct SameK {
  int rank = 0, ranks = 1;
  // Rank r of them has made share_of(items, r, ranks) of `items` runs of `each` numbers; all get all.
  std::function<void(double* numbers, std::int64_t each, std::int64_t items)> gather;
  // n numbers of rank 0 to all: unlike processors must not choose other combinations of bands of one energy.
  std::function<void(double* numbers, std::int64_t n)> agree;

  Range part(std::int64_t items) const { return share_of(items, rank, ranks); }
  bool shared() const { return ranks > 1; }
};

}  // namespace tenken::dft
