// Definitions of hopping.hpp, for the files that compile them.
#pragma once

#include <omp.h>

#include <cstring>

#include "base/error.hpp"
#include "qcd/lanes/hopping.hpp"

namespace tenken::qcd {

namespace detail {

template <class V>
std::array<std::size_t, dimensions> travelling_bytes(const Lanes& lanes) {
  std::array<std::size_t, dimensions> bytes{};
  for (int mu = 0; mu < dimensions; ++mu) {
    bytes[mu] = static_cast<std::size_t>(lanes.face_size(mu)) * static_cast<std::size_t>(lanes.together) *
                sizeof(BasicHalf<V>) / static_cast<std::size_t>(lanes.width) *
                static_cast<std::size_t>(lanes.face_lanes(mu));
  }
  return bytes;
}

}  // namespace detail

template <class Real, int width_>
Hopping<Real, width_>::Hopping(MPI_Comm comm, const Lanes& lanes, const ExtendedLinks& links,
                               const HoppingOptions& options)
    : comm_(comm),
      lanes_(lanes),
      options_(options),
      halo_(comm, links.geometry().block, detail::travelling_bytes<V>(lanes)) {
  if (options.once && lanes.together > 1) refuse("links of fields worked on together are stored twice");
  for (int mu = 0; mu < directions; ++mu) {
    if (lanes.split[mu] == 1) continue;
    for (const int each : {2 * mu, 2 * mu + 1}) {
      merged_[each] = Buffer<BasicHalf<V>>(static_cast<std::size_t>(lanes.face_size(mu) * lanes.together), Pages::any,
                                           "halo vectors");
    }
  }
}

// With `rows` of each link stored.
template <class Real, int width_, int rows>
class StoredHopping final : public Hopping<Real, width_> {
 public:
  using Base = Hopping<Real, width_>;
  using Base::width;
  using typename Base::Field;
  using typename Base::V;

  StoredHopping(MPI_Comm comm, const Lanes& lanes, const ExtendedLinks& links, const HoppingOptions& options);
  int stored_rows() const override { return rows; }

 private:
  using Base::halo_;
  using Base::lanes_;
  using Base::merged_;
  using Base::options_;

  void interior(int parity, Field& out, const Field& in, const Field* extra, Real factor) override;
  void boundary(int parity, Field& out, const Field& in, const Field* extra, Real factor) override;
  void pack(int parity, const Field& in) override;
  template <bool general, bool several>
  void sweep(const std::vector<std::int32_t>& list, int parity, Field& out, const Field& in, const Field* extra,
             Real factor);
  template <int mu>
  void pack_dimension(int parity, const Field& in);
  HopData<V, rows> data(int parity) const;
  std::size_t stored_links() const { return options_.once ? 4 : 8; }  // of each vector

  std::array<Buffer<StoredLink<V, rows>>, parities> links_;
};

template <class Real, int width_, int rows>
StoredHopping<Real, width_, rows>::StoredHopping(MPI_Comm comm, const Lanes& lanes, const ExtendedLinks& links,
                                                 const HoppingOptions& options)
    : Base(comm, lanes, links, options) {
  const Geometry& g = links.geometry();
  for (auto& each : links_) {
    each = Buffer<StoredLink<V, rows>>(static_cast<std::size_t>(lanes.sites) * stored_links(), Pages::huge,
                                       "links of vectors");
  }
  const auto real = [](Complex<V>* numbers, int number, int lane) {
    return reinterpret_cast<Real*>(numbers + number / 2) + (number % 2) * width + lane;
  };
#pragma omp parallel for schedule(static)
  for (std::int32_t site = 0; site < g.sites; ++site) {
    const Index4 x = coordinates(site, g.block.extents());
    const std::int64_t slot = lanes_.slot[static_cast<std::size_t>(site)];
    const auto lane = static_cast<int>(slot % width);
    StoredLink<V, rows>* const stored =
        &links_[lanes_.parity(x)][static_cast<std::size_t>(slot / width) * stored_links()];
    for (int mu = 0; mu < directions; ++mu) {
      Index4 behind = x;
      --behind[mu];
      for (const Way way : {Way::forward, Way::backward}) {
        if (options_.once && way == Way::backward) continue;
        const Link& u = links.at(way == Way::forward ? x : behind, mu);
        Complex<V>* const to = &stored[options_.once ? mu : hop(mu, way)].at[0][0];
        const Real scale = mu == 3 && t_doubled<rows> ? 2 : 1;
        for (int i = 0; i < rows * colours; ++i) {
          *real(to, 2 * i, lane) = scale * static_cast<Real>(u.at[i / colours][i % colours].re);
          *real(to, 2 * i + 1, lane) = scale * static_cast<Real>(u.at[i / colours][i % colours].im);
        }
      }
    }
  }
}

template <class Real, int width_, int rows>
auto StoredHopping<Real, width_, rows>::data(int parity) const -> HopData<V, rows> {
  HopData<V, rows> data{lanes_.neighbours[parity].data(),
                        lanes_.together,
                        options_.once,
                        links_[parity].data(),
                        links_[1 - parity].data(),
                        {},
                        lanes_.bit};
  for (int mu = 0; mu < directions; ++mu) {
    for (const Way way : {Way::forward, Way::backward}) {
      const Side side = way == Way::forward ? Side::upper : Side::lower;
      data.ghosts[hop(mu, way)] = lanes_.split[mu] == 2
                                      ? merged_[hop(mu, way)].data()
                                      : reinterpret_cast<const BasicHalf<V>*>(halo_.incoming(mu, side));
    }
  }
  return data;
}

template <class Real, int width_, int rows>
template <bool general, bool several>
void StoredHopping<Real, width_, rows>::sweep(const std::vector<std::int32_t>& list, int parity, Field& out,
                                              const Field& in, const Field* extra, Real factor) {
  const HopData<V, rows> needed = data(parity);
  const auto count = static_cast<std::int64_t>(list.size());
#pragma omp parallel
  {
    // Shares of neighbouring vectors, the same in every call, so that caches keep them.
    const std::int64_t threads = omp_get_num_threads();
    const std::int64_t me = omp_get_thread_num();
    hop_vectors<Real, width, general, several, rows>(needed, list.data(),
                                                     static_cast<std::int32_t>(count * me / threads),
                                                     static_cast<std::int32_t>(count * (me + 1) / threads), out.data(),
                                                     in.data(), extra == nullptr ? nullptr : extra->data(), factor);
  }
}

template <class Real, int width_, int rows>
void StoredHopping<Real, width_, rows>::interior(int parity, Field& out, const Field& in, const Field* extra,
                                                 Real factor) {
  if constexpr (width == native_width<Real>) {
    if (lanes_.together == 1 && lanes_.cut_in_order()) {
      return sweep<false, false>(lanes_.interior[parity], parity, out, in, extra, factor);
    }
    if (lanes_.together == 1) return sweep<true, false>(lanes_.interior[parity], parity, out, in, extra, factor);
  }
  sweep<true, true>(lanes_.interior[parity], parity, out, in, extra, factor);
}

template <class Real, int width_, int rows>
void StoredHopping<Real, width_, rows>::boundary(int parity, Field& out, const Field& in, const Field* extra,
                                                 Real factor) {
  if constexpr (width == native_width<Real>) {
    if (lanes_.together == 1) return sweep<true, false>(lanes_.boundary[parity], parity, out, in, extra, factor);
  }
  sweep<true, true>(lanes_.boundary[parity], parity, out, in, extra, factor);
}

// The lower face is projected for the forward hop of the neighbour below, the upper one for the backward hop of the
// neighbour above and multiplied with the link that leads there.
template <class Real, int width_, int rows>
template <int mu>
void StoredHopping<Real, width_, rows>::pack_dimension(int parity, const Field& in) {
  const std::int32_t count = lanes_.face_size(mu);
  if (count == 0) return;
  const int together = lanes_.together;
  const auto& lower = lanes_.face[parity][2 * mu + static_cast<int>(Side::lower)];
  const auto& upper = lanes_.face[parity][2 * mu + static_cast<int>(Side::upper)];
  const int bit = lanes_.bit[mu];
  const int travelling = lanes_.face_lanes(mu);
  constexpr int numbers = sizeof(BasicHalf<V>) / sizeof(V);
  // Lanes on the rim of the block travel; the others are the neighbours of this rank's own rim.
  const auto deliver = [&](const BasicHalf<V>& h, Side side, std::int32_t i) {
    std::byte* const message = halo_.outgoing(mu, side);
    if (bit == 0) {
      std::memcpy(message + static_cast<std::size_t>(i) * sizeof h, &h, sizeof h);
      return;
    }
    const Way reader = side == Side::lower ? Way::forward : Way::backward;
    BasicHalf<V>& merged = merged_[hop(mu, reader)][static_cast<std::size_t>(i)];
    swap_over_rim<width, 2 * colours>(&merged.at[0][0], &h.at[0][0], bit);
    const Real* const from = reinterpret_cast<const Real*>(&h);
    Real* to = reinterpret_cast<Real*>(message) + static_cast<std::int64_t>(i) * numbers * travelling;
    for (int n = 0; n < numbers; ++n) {
      for (int lane = 0; lane < width; ++lane) {
        if (((lane & bit) != 0) == (side == Side::upper)) *to++ = from[n * width + lane];
      }
    }
  };
#pragma omp parallel for schedule(static)
  for (std::int32_t i = 0; i < count; ++i) {
    const auto v = static_cast<std::size_t>(upper[i]);
    const auto& link = links_[parity][options_.once ? 4 * v + mu : 8 * v + hop(mu, Way::forward)];
    for (int k = 0; k < together; ++k) {
      deliver(project<mu, Way::forward>(in[static_cast<std::size_t>(lower[i] * together + k)]), Side::lower,
              i * together + k);
      const LaneSpinor<V>& psi = in[static_cast<std::size_t>(upper[i] * together + k)];
      BasicHalf<V> up;
      times<true>(up, link, [&](int b, Complex<V>(&h)[2]) {
        for (int s = 0; s < 2; ++s) h[s] = project<mu, Way::backward>(psi, s, b);
      });
      deliver(up, Side::upper, i * together + k);
    }
  }
}

template <class Real, int width_, int rows>
void StoredHopping<Real, width_, rows>::pack(int parity, const Field& in) {
  pack_dimension<0>(parity, in);
  pack_dimension<1>(parity, in);
  pack_dimension<2>(parity, in);
  pack_dimension<3>(parity, in);
}

template <class Real, int width_>
void Hopping<Real, width_>::unpack() {
  constexpr int numbers = sizeof(BasicHalf<V>) / sizeof(V);
  for (int mu = 0; mu < directions; ++mu) {
    if (lanes_.split[mu] == 1) continue;
    const int bit = lanes_.bit[mu];
    const std::int32_t count = lanes_.face_size(mu) * lanes_.together;
    for (const Way way : {Way::forward, Way::backward}) {
      const bool forward = way == Way::forward;
      const auto* const message =
          reinterpret_cast<const Real*>(halo_.incoming(mu, forward ? Side::upper : Side::lower));
      auto& merged = merged_[hop(mu, way)];
#pragma omp parallel for schedule(static)
      for (std::int32_t i = 0; i < count; ++i) {
        const Real* from = message + static_cast<std::int64_t>(i) * numbers * (width / 2);
        Real* const to = reinterpret_cast<Real*>(&merged[static_cast<std::size_t>(i)]);
        for (int n = 0; n < numbers; ++n) {
          for (int lane = 0; lane < width; ++lane) {
            if (((lane & bit) != 0) == forward) to[n * width + lane] = *from++;
          }
        }
      }
    }
  }
}

template <class Real, int width>
std::unique_ptr<Hopping<Real, width>> make_hopping(MPI_Comm comm, const Lanes& lanes, const ExtendedLinks& links,
                                                   int rows, const HoppingOptions& options) {
  if (rows == colours) return std::make_unique<StoredHopping<Real, width, colours>>(comm, lanes, links, options);
  return std::make_unique<StoredHopping<Real, width, 2>>(comm, lanes, links, options);
}

}  // namespace tenken::qcd
