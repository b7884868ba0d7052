// Vector operations on fields of vectors. Sums are taken in a fixed order, whatever the number of threads.
#pragma once

#include <omp.h>

#include <vector>

#include "lanes/hop.hpp"

namespace tenken::lqcd {

template <class V>
LaneField<V> make_lane_field(const Lanes& lanes) {
  LaneField<V> field(static_cast<std::size_t>(lanes.sites), Pages::huge, "a spinor field of one parity");
#pragma omp parallel for schedule(static)
  for (std::int32_t v = 0; v < lanes.sites; ++v) field[static_cast<std::size_t>(v)] = {};
  return field;
}

namespace detail {

constexpr std::int64_t reals_of_a_spinor = 24;

// change(i) for each of the vectors of a field, in equal shares.
template <class V, class Change>
void for_each_vector(const LaneField<V>& like, Change change) {
  const auto count = static_cast<std::int64_t>(like.size()) * reals_of_a_spinor;
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) change(i);
}

template <class V>
V* numbers(LaneField<V>& field) {
  return reinterpret_cast<V*>(field.data());
}
template <class V>
const V* numbers(const LaneField<V>& field) {
  return reinterpret_cast<const V*>(field.data());
}

template <class Real, class V>
double lane_sum(const V& v) {
  double sum = 0;
  for (std::size_t lane = 0; lane < sizeof(V) / sizeof(Real); ++lane) {
    sum += static_cast<double>(reinterpret_cast<const Real*>(&v)[lane]);
  }
  return sum;
}

}  // namespace detail

// y += a x
template <class Real, class V>
void axpy(Real a, const LaneField<V>& x, LaneField<V>& y) {
  const V* const from = detail::numbers(x);
  V* const to = detail::numbers(y);
  detail::for_each_vector(y, [=](std::int64_t i) { to[i] += a * from[i]; });
}

// y = x + a y
template <class Real, class V>
void xpay(const LaneField<V>& x, Real a, LaneField<V>& y) {
  const V* const from = detail::numbers(x);
  V* const to = detail::numbers(y);
  detail::for_each_vector(y, [=](std::int64_t i) { to[i] = from[i] + a * to[i]; });
}

template <class V>
void copy(const LaneField<V>& from, LaneField<V>& to) {
  const V* const source = detail::numbers(from);
  V* const target = detail::numbers(to);
  detail::for_each_vector(to, [=](std::int64_t i) { target[i] = source[i]; });
}

// Squared norm of the local part: chunks of 64 spinors in the precision of the field, their sums in double.
template <class Real, class V>
double norm2(const LaneField<V>& x) {
  constexpr std::int64_t chunk = 64;
  const auto spinors = static_cast<std::int64_t>(x.size());
  std::vector<double> parts(static_cast<std::size_t>((spinors + chunk - 1) / chunk));
#pragma omp parallel for schedule(static)
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const std::int64_t first = static_cast<std::int64_t>(part) * chunk * detail::reals_of_a_spinor;
    const std::int64_t last =
        std::min((static_cast<std::int64_t>(part) + 1) * chunk, spinors) * detail::reals_of_a_spinor;
    const V* const from = detail::numbers(x);
    V sum[4]{};
    for (std::int64_t i = first; i < last; i += 4) {
      for (int k = 0; k < 4; ++k) sum[k] += from[i + k] * from[i + k];
    }
    parts[part] = detail::lane_sum<Real>(V((sum[0] + sum[1]) + (sum[2] + sum[3])));
  }
  double sum = 0;
  for (const double part : parts) sum += part;
  return sum;
}

// Sites of one parity between plain fields (`lanes` null) or fields of vectors of any width and precision; `add` adds.
template <class FromReal, class ToReal>
void convert(const Geometry& g, int parity, const Lanes* from_lanes, const void* from, const Lanes* to_lanes, void* to,
             bool add = false) {
  const auto number = [](const Lanes* lanes, std::int32_t site, int n) -> std::int64_t {
    if (lanes == nullptr) return std::int64_t{site} * 24 + n;
    const std::int64_t slot = lanes->slot[static_cast<std::size_t>(site)];
    return (slot / lanes->width * 24 + n) * lanes->width + slot % lanes->width;
  };
#pragma omp parallel for schedule(static)
  for (std::int32_t site = 0; site < g.sites; ++site) {
    const Index4 x = coordinates(site, g.block.extents());
    if (((x[0] + x[1] + x[2] + x[3]) & 1) != parity) continue;
    for (int n = 0; n < 24; ++n) {
      ToReal& target = static_cast<ToReal*>(to)[number(to_lanes, site, n)];
      const auto value = static_cast<ToReal>(static_cast<const FromReal*>(from)[number(from_lanes, site, n)]);
      target = add ? target + value : value;
    }
  }
}

}  // namespace tenken::lqcd
