// Vector operations on fields of vectors, each a group of K = Lanes::together fields with a coefficient or a sum of its
// own. Sums are taken in a fixed order, whatever the number of threads.
#pragma once

#include <omp.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "qcd/lanes/hop.hpp"

namespace tenken::qcd {

template <class V>
LaneField<V> make_lane_field(const Lanes& lanes) {
  LaneField<V> field(lanes.field_size(), Pages::huge, "spinor fields of one parity");
#pragma omp parallel for schedule(static)
  for (std::size_t at = 0; at < lanes.field_size(); ++at) field[at] = {};
  return field;
}

namespace detail {

constexpr std::int64_t reals_of_a_spinor = 24;

// change(k, i) for each number i of field k, vectors in equal shares.
template <class V, class Change>
void for_each_vector(const LaneField<V>& like, int together, Change change) {
  const auto vectors = static_cast<std::int64_t>(like.size()) / together;
#pragma omp parallel for schedule(static)
  for (std::int64_t v = 0; v < vectors; ++v) {
    for (int k = 0; k < together; ++k) {
      const std::int64_t first = (v * together + k) * reals_of_a_spinor;
      for (std::int64_t n = 0; n < reals_of_a_spinor; ++n) change(k, first + n);
    }
  }
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

// y_k += a_k x_k for each of the a.size() fields
template <class Real, class V>
void axpy(std::span<const Real> a, const LaneField<V>& x, LaneField<V>& y) {
  const V* const from = detail::numbers(x);
  V* const to = detail::numbers(y);
  detail::for_each_vector(y, static_cast<int>(a.size()),
                          [=, each = a.data()](int k, std::int64_t i) { to[i] += each[k] * from[i]; });
}

// y_k = x_k + a_k y_k
template <class Real, class V>
void xpay(const LaneField<V>& x, std::span<const Real> a, LaneField<V>& y) {
  const V* const from = detail::numbers(x);
  V* const to = detail::numbers(y);
  detail::for_each_vector(y, static_cast<int>(a.size()),
                          [=, each = a.data()](int k, std::int64_t i) { to[i] = from[i] + each[k] * to[i]; });
}

template <class V>
void copy(const LaneField<V>& from, LaneField<V>& to) {
  const V* const source = detail::numbers(from);
  V* const target = detail::numbers(to);
  detail::for_each_vector(to, 1, [=](int, std::int64_t i) { target[i] = source[i]; });
}

template <class V>
void clear(LaneField<V>& field) {
  V* const to = detail::numbers(field);
  detail::for_each_vector(field, 1, [=](int, std::int64_t i) { to[i] = V{}; });
}

// Squared norms of the local part, one for each of the sums.size() fields: chunks of 64 of a field's vectors in the
// precision of the field, their sums in double. Within a chunk the fields take turns often, so that it is read through.
template <class Real, class V>
void norm2(const LaneField<V>& x, std::span<double> sums) {
  constexpr std::int64_t chunk = 64;
  const auto together = static_cast<std::int64_t>(sums.size());
  const std::int64_t vectors = static_cast<std::int64_t>(x.size()) / together;
  const std::int64_t chunks = (vectors + chunk - 1) / chunk;
  const std::int64_t turn = std::max<std::int64_t>(1, chunk / together);
  std::vector<double> parts(static_cast<std::size_t>(chunks * together));
#pragma omp parallel for schedule(static)
  for (std::int64_t part = 0; part < chunks; ++part) {
    std::array<std::array<V, 4>, most_together> sum{};
    const std::int64_t end = std::min((part + 1) * chunk, vectors);
    for (std::int64_t first = part * chunk; first < end; first += turn) {
      for (std::size_t k = 0; k < sums.size(); ++k) {
        std::array<V, 4> s = sum[k];
        for (std::int64_t v = first; v < std::min(first + turn, end); ++v) {
          const V* const from =
              detail::numbers(x) + (v * together + static_cast<std::int64_t>(k)) * detail::reals_of_a_spinor;
          for (std::size_t i = 0; i < detail::reals_of_a_spinor; i += 4) {
            for (std::size_t j = 0; j < 4; ++j) s[j] += from[i + j] * from[i + j];
          }
        }
        sum[k] = s;
      }
    }
    for (std::size_t k = 0; k < sums.size(); ++k) {
      parts[static_cast<std::size_t>(part) * sums.size() + k] =
          detail::lane_sum<Real>(V((sum[k][0] + sum[k][1]) + (sum[k][2] + sum[k][3])));
    }
  }
  for (std::size_t k = 0; k < sums.size(); ++k) {
    sums[k] = 0;
    for (std::size_t part = k; part < parts.size(); part += sums.size()) sums[k] += parts[part];
  }
}

// Sites of one parity between plain fields (`lanes` null) and field k of vectors of any width and precision, or field k
// of two such; `add` adds.
template <class FromReal, class ToReal>
void convert(const Geometry& g, int parity, int k, const Lanes* from_lanes, const void* from, const Lanes* to_lanes,
             void* to, bool add = false) {
  // Of a site's n-th number, in the order of plain fields: where it is.
  const auto place = [k](const Lanes* lanes, std::int32_t site, int n) -> std::int64_t {
    if (lanes == nullptr) return std::int64_t{site} * 24 + n;
    const std::int64_t slot = lanes->slot[static_cast<std::size_t>(site)];
    const int spin = n / 6, colour = n / 2 % 3;
    const int within = ((spin / 2 * colours + colour) * 2 + spin % 2) * 2 + n % 2;
    return ((slot / lanes->width * lanes->together + k) * 24 + within) * lanes->width + slot % lanes->width;
  };
#pragma omp parallel for schedule(static)
  for (std::int32_t site = 0; site < g.sites; ++site) {
    const Index4 x = coordinates(site, g.block.extents());
    if (((x[0] + x[1] + x[2] + x[3]) & 1) != parity) continue;
    for (int n = 0; n < 24; ++n) {
      ToReal& target = static_cast<ToReal*>(to)[place(to_lanes, site, n)];
      const auto value = static_cast<ToReal>(static_cast<const FromReal*>(from)[place(from_lanes, site, n)]);
      target = add ? target + value : value;
    }
  }
}

}  // namespace tenken::qcd
