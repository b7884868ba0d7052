// Two faces at once, each by the route that is fastest for it, against both by one route and against each alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "measure/check.hpp"
#include "measure/common_clock.hpp"
#include "version.h"

namespace tenken::xacc_lqcd {

// 1: the shorter exchange costs nothing beside the longer one. max / sum: nothing overlaps.
inline double overlap_efficiency(double one, double other, double both) { return std::max(one, other) / both; }

// What a sample exchanges; null: that face stays.
struct Way {
  const XaccLqcdFaces *t, *z;
  std::vector<double> ns = {};
};

class Faces {
 public:
  // Refuses ranks that have no neighbour or no sites.
  explicit Faces(Check& check);
  static double bytes(const Check& check, const int* extent);  // of one rank

  // Values of the record, and the proof that every halo was right.
  void measure(int samples);

 private:
  struct Route {
    std::string name;
    const XaccLqcdFaces* faces;
  };

  struct Chosen {
    std::size_t t, z;
  };

  Chosen choose(int samples);
  std::vector<double> medians(std::vector<Way> ways, int samples);
  double sample(const Way& way);
  void write(const Way& way) const;
  double wrong(const Way& way) const;
  int block(int face) const;

  Check& check_;
  CommonClock clock_;
  std::vector<Route> routes_;
  double samples_ = 0, wrong_ = 0;
};

}  // namespace tenken::xacc_lqcd
