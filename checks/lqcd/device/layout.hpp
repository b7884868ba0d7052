// Fields and links on a device. Threads of neighbouring sites read neighbouring 16 bytes. Number m of site i is in pack
// m / P of the site, with P numbers a pack. Pack k of site i of n is at k n + i.
//
// Numbers of a spinor: spin, colour, re and im; of a half-spinor likewise. The two links of a site in one direction are
// U_mu(x) and U_mu(x - mu). Their numbers: entry (row, column), way, re and im. So both together fill whole packs in
// single and in double precision. Every link is stored twice: each site has its eight links beside each other.
//
// Two of three rows are enough (link_reals 12): the third row of a matrix of SU(3) is the conjugate of the vector
// product of the others.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "qcd/algebra.hpp"

namespace tenken::lqcd::device {

using qcd::BasicHalf;
using qcd::BasicLink;
using qcd::BasicSpinor;
using qcd::colours;
using qcd::directions;
using qcd::spins;

constexpr int pack_bytes = 16;  // of the widest load of a thread

template <class Real>
struct alignas(pack_bytes) Pack {
  static constexpr int numbers = pack_bytes / static_cast<int>(sizeof(Real));
  Real at[numbers];
};

// Packs of a site.
template <class Real>
constexpr int spinor_packs = 2 * spins* colours / Pack<Real>::numbers;
template <class Real>
constexpr int half_packs = spinor_packs<Real> / 2;
template <class Real, int rows>
constexpr int link_packs = 4 * rows* colours / Pack<Real>::numbers;  // of one direction

// The packs of site i of n to or from `count` packs of consecutive numbers.
template <int count, class Real>
TENKEN_HOST_DEVICE void load(Real* to, const Pack<Real>* from, std::int64_t n, std::int64_t i) {
  for (int k = 0; k < count; ++k) {
    const Pack<Real> pack = from[k * n + i];
    for (int m = 0; m < Pack<Real>::numbers; ++m) to[k * Pack<Real>::numbers + m] = pack.at[m];
  }
}
template <int count, class Real>
TENKEN_HOST_DEVICE void store(Pack<Real>* to, const Real* from, std::int64_t n, std::int64_t i) {
  for (int k = 0; k < count; ++k) {
    Pack<Real> pack;
    for (int m = 0; m < Pack<Real>::numbers; ++m) pack.at[m] = from[k * Pack<Real>::numbers + m];
    to[k * n + i] = pack;
  }
}

template <class Real>
TENKEN_HOST_DEVICE BasicSpinor<Real> load_spinor(const Pack<Real>* field, std::int64_t n, std::int64_t i) {
  BasicSpinor<Real> psi;
  load<spinor_packs<Real>>(&psi.at[0][0].re, field, n, i);
  return psi;
}
template <class Real>
TENKEN_HOST_DEVICE void store_spinor(Pack<Real>* field, const BasicSpinor<Real>& psi, std::int64_t n, std::int64_t i) {
  store<spinor_packs<Real>>(field, &psi.at[0][0].re, n, i);
}
template <class Real>
TENKEN_HOST_DEVICE BasicHalf<Real> load_half(const Pack<Real>* face, std::int64_t n, std::int64_t i) {
  BasicHalf<Real> h;
  load<half_packs<Real>>(&h.at[0][0].re, face, n, i);
  return h;
}
template <class Real>
TENKEN_HOST_DEVICE void store_half(Pack<Real>* face, const BasicHalf<Real>& h, std::int64_t n, std::int64_t i) {
  store<half_packs<Real>>(face, &h.at[0][0].re, n, i);
}

// The links of site i in one direction, whose first pack is `links`: U_mu(x) of the forward hop and U_mu(x - mu) of the
// backward hop. Of two stored rows the third is rebuilt.
template <class Real, int rows>
struct LinkPair {
  BasicLink<Real> forward, backward;

  TENKEN_HOST_DEVICE LinkPair(const Pack<Real>* links, std::int64_t n, std::int64_t i) {
    Real stored[4 * rows * colours];
    load<link_packs<Real, rows>>(stored, links, n, i);
    for (int e = 0; e < rows * colours; ++e) {
      forward.at[e / colours][e % colours] = {stored[4 * e], stored[4 * e + 1]};
      backward.at[e / colours][e % colours] = {stored[4 * e + 2], stored[4 * e + 3]};
    }
    if constexpr (rows < colours) {
      rebuild(forward);
      rebuild(backward);
    }
  }

 private:
  TENKEN_HOST_DEVICE static void rebuild(BasicLink<Real>& u) {
    for (int c = 0; c < colours; ++c) {
      const int next = (c + 1) % colours, last = (c + 2) % colours;
      u.at[2][c] = conj(u.at[0][next] * u.at[1][last] - u.at[0][last] * u.at[1][next]);
    }
  }
};

}  // namespace tenken::lqcd::device
