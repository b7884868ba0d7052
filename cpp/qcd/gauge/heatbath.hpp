// SU(3) gauge fields of the Wilson action, weight exp(beta sum over plaquettes of Re tr P / 3): heat baths in the
// three SU(2) subgroups of each link (Cabibbo and Marinari) and micro-canonical over-relaxation in them.
//
// Every random number is a function of seed, sweep, link and subgroup, and links that change together do not see each
// other: the field is the same, bit for bit, for any number of ranks and threads.
#pragma once

#include "qcd/gauge/extended.hpp"

namespace tenken::qcd {

// Sum over the six plaquettes with U_mu(x) of the other three links: their Re tr P add up to Re tr(U_mu(x) A). x is a
// site of the block.
Link staples(const ExtendedLinks& links, const Index4& x, int mu);

class HeatBath {
 public:
  // Goes on from the links as they are, which stay with the caller. Throws UserError for a lattice with an odd extent,
  // which is not made of even and odd sites. beta >= 0.
  HeatBath(ExtendedLinks& links, double beta, std::uint64_t seed);

  // `overrelaxation` times relax(), then heat(). Collective, as are the two.
  void sweep(int overrelaxation);

  // Draws every link anew, given its neighbours, in three subgroups; and makes it unitary to rounding.
  void heat();

  // Moves every link as far as it can go in three subgroups without changing the action.
  void relax();

 private:
  struct Site {
    std::int64_t link;    // position of its first link in memory, seen from the block's first site
    std::int64_t global;  // position in the lattice
  };
  template <class Update>
  void update_all(Update update);

  ExtendedLinks& links_;
  double beta_;
  std::uint64_t seed_;
  std::uint64_t heats_ = 0;
  std::vector<Site> sites_[2];  // even and odd ones of the block
};

// What the part must obey that heat() has drawn last: the third subgroup of the links in t at odd sites. By the change
// of variables a -> (1 + i epsilon sigma) a in the integral over one of them, with v the quaternion part of W = U A,
//   < v0 > = (2 beta / 9) < v1^2 + v2^2 + v3^2 >
// (a Schwinger-Dyson equation), exactly on any lattice, whether the other links are in equilibrium or not. Given these,
// the parts are independent of each other, so that the statistical error is that of independent numbers.
struct LastPlaquettes {
  double plaquette;  // mean of v0 / 6: over the plaquettes of these links, and the two colours of the subgroup
  double expected;   // what it must be for this beta: the other side's mean / 6
  double deviation;  // standard deviation of the difference of the two
};
LastPlaquettes last_plaquettes(const ExtendedLinks& links, double beta);

}  // namespace tenken::qcd
