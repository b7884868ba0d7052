// Averages of a gauge field, the same for any number of threads: sums go from site to site, then from rank to rank.
#pragma once

#include <vector>

#include "qcd/gauge/extended.hpp"

namespace tenken::qcd {

// A plaquette is P = Re tr U_mu(x) U_nu(x + mu) U_mu(x + nu)^dagger U_nu(x)^dagger / 3.
struct SlicePlaquettes {
  double spatial = 0;   // sum over x in the slice and the planes xy, xz, yz
  double temporal = 0;  // sum over x in the slice and the planes xt, yt, zt
};

struct GaugeAverages {
  double plaquette;   // mean over sites and six planes
  double spatial;     // over the three planes without t
  double temporal;    // over the three planes with t
  double link_trace;  // Re tr U / 3, mean over all links
  std::vector<SlicePlaquettes> slices;
};

// Collective; the halo of `links` must be that of its neighbours.
GaugeAverages gauge_averages(const ExtendedLinks& links);

}  // namespace tenken::qcd
