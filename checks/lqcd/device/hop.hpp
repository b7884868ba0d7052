// The hopping term at one site, and the faces that other ranks need of it: bodies of kernels, one call a site.
#pragma once

#include "device/layout.hpp"
#include "device/sites.hpp"

namespace tenken::lqcd::device {

enum class Part { all, inside, rim };  // rim: sites with a neighbour on another rank

// out = H in or, with `extra`, out = gamma_5 (extra - factor H in), at site i of `parity`, where on a checkerboard `in`
// is of the other parity. The formula of qcd/kernel.cpp.
template <class Number, int rows>
struct Hop {
  using Real = Number;

  Sites sites;
  std::int32_t parity;
  Part part;
  Real factor;
  const Pack<Real>* links;  // of the output's sites, by direction
  const Pack<Real>* in;
  const Pack<Real>* extra;      // or null
  const Pack<Real>* ghosts[8];  // by hop: half-spinors that other ranks sent; null where undivided
  Pack<Real>* out;

  TENKEN_HOST_DEVICE void operator()(std::int64_t i) const {
    const auto site = static_cast<std::int32_t>(i);
    const Point x = sites.coordinates(parity, site);
    if (part != Part::all && sites.on_rim(x) != (part == Part::rim)) return;
    const std::int64_t n = sites.count();
    BasicSpinor<Real> sum{};
    add_hops<0>(sum, x, n, i);
    add_hops<1>(sum, x, n, i);
    add_hops<2>(sum, x, n, i);
    add_hops<3>(sum, x, n, i);
    store_spinor(out, extra == nullptr ? sum : qcd::finish(load_spinor(extra, n, i), sum, factor), n, i);
  }

 private:
  template <int mu>
  TENKEN_HOST_DEVICE void add_hops(BasicSpinor<Real>& sum, const Point& x, std::int64_t n, std::int64_t i) const {
    using qcd::Way;
    const LinkPair<Real, rows> u(links + mu * link_packs<Real, rows> * n, n, i);
    qcd::accumulate<mu, Way::forward>(sum, u.forward * arriving<mu, Way::forward>(x, n));
    if (sites.leaves(x, mu, Way::backward)) {
      qcd::accumulate<mu, Way::backward>(sum, ghost(x, mu, Way::backward));  // the sender multiplied with its link
    } else {
      qcd::accumulate<mu, Way::backward>(sum, adjoint_times(u.backward, arriving<mu, Way::backward>(x, n)));
    }
  }

  // The projected spinor of the neighbour.
  template <int mu, qcd::Way way>
  TENKEN_HOST_DEVICE BasicHalf<Real> arriving(const Point& x, std::int64_t n) const {
    if (way == qcd::Way::forward && sites.leaves(x, mu, way)) return ghost(x, mu, way);
    return qcd::project<mu, way>(load_spinor(in, n, sites.neighbour(x, mu, way)));
  }

  TENKEN_HOST_DEVICE BasicHalf<Real> ghost(const Point& x, int mu, qcd::Way way) const {
    const int hop = 2 * mu + static_cast<int>(way);
    return load_half(ghosts[hop], sites.face(mu), sites.number_in_face(x, mu));
  }
};

// Site i of the two faces perpendicular to mu, for the neighbours. The lower side is (1 - gamma) psi, the upper side
// U^dagger (1 + gamma) psi. On a checkerboard `in` and `links` are of `parity`.
template <class Number, int rows>
struct PackFaces {
  using Real = Number;

  Sites sites;
  std::int32_t parity;
  std::int32_t mu;
  const Pack<Real>* links;
  const Pack<Real>* in;
  Pack<Real>* lower;
  Pack<Real>* upper;

  TENKEN_HOST_DEVICE void operator()(std::int64_t i) const {
    switch (mu) {
      case 0:
        return pack<0>(i);
      case 1:
        return pack<1>(i);
      case 2:
        return pack<2>(i);
      default:
        return pack<3>(i);
    }
  }

 private:
  template <int direction>
  TENKEN_HOST_DEVICE void pack(std::int64_t i) const {
    using qcd::Way;
    const std::int64_t n = sites.count();
    const std::int32_t faces = sites.face(direction);
    const auto site = static_cast<std::int32_t>(i);
    const std::int32_t first = sites.number(sites.in_face(parity, direction, 0, site));
    store_half(lower, qcd::project<direction, Way::forward>(load_spinor(in, n, first)), faces, i);
    const std::int32_t last = sites.number(sites.in_face(parity, direction, sites.extent[direction] - 1, site));
    const LinkPair<Real, rows> u(links + direction * link_packs<Real, rows> * n, n, last);
    store_half(upper, adjoint_times(u.forward, qcd::project<direction, Way::backward>(load_spinor(in, n, last))), faces,
               i);
  }
};

}  // namespace tenken::lqcd::device
