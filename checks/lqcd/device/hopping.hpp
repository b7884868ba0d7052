// The hopping term of all ranks on their devices, in steps that can be timed one by one. Faces are packed on the device
// and travel through the host.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>

#include "device/fields.hpp"
#include "parallel/halo.hpp"
#include "qcd/wilson.hpp"

namespace tenken::lqcd::device {

struct HoppingOptions {
  bool overlap = true;   // work on inner sites during the messages; without, after them: the same bits
  bool barrier = false;  // all ranks wait for each other after each exchange
};

constexpr auto untimed = [](qcd::Step) { return 0; };

template <class Real>
class Hopping {
 public:
  // With `rows` of each link, 3 or 2. The device stays with the caller. Collective.
  Hopping(MPI_Comm comm, Device& device, const Sites& sites, const qcd::ExtendedLinks& links, int rows,
          const HoppingOptions& options = {})
      : comm_(comm),
        device_(device),
        sites_(sites),
        rows_(rows),
        options_(options),
        halo_(comm, links.geometry().block, face_bytes(sites)) {
    for (int parity = 0; parity < parities_of(sites); ++parity) {
      links_[parity] = make_device_links<Real>(device, sites, parity, links, rows);
    }
    for (int mu = 0; mu < directions; ++mu) {
      if (!sites.divided[mu]) continue;
      divided_ = true;
      for (int each : {2 * mu, 2 * mu + 1}) {
        const auto packs = static_cast<std::size_t>(half_packs<Real>) * static_cast<std::size_t>(sites.face(mu));
        outgoing_[each] = Memory<Pack<Real>>(device, packs, "outgoing faces");
        incoming_[each] = Memory<Pack<Real>>(device, packs, "incoming faces");
      }
    }
  }

  // At sites of `parity`: out = H in or, with `extra`, out = gamma_5 (extra - factor H in), where on a checkerboard
  // `in` is of the other parity. `open(step)` as in qcd::Wilson::apply.
  template <class Open>
  void apply(int parity, DeviceField<Real>& out, const DeviceField<Real>& in, const DeviceField<Real>* extra,
             Real factor, Open open) {
    const auto run = [&](qcd::Step step, auto&& action) {
      [[maybe_unused]] const auto opened = open(step);
      action();
    };
    const auto sweep = [&](Part part) { hop(parity, part, out, in, extra, factor); };
    if (!divided_) return run(qcd::Step::interior, [&] { sweep(Part::all); });
    run(qcd::Step::pack, [&] { pack(sites_.halved ? 1 - parity : 0, in); });
    run(qcd::Step::start, [&] {
      fetch();
      halo_.start();
    });
    if (options_.overlap) run(qcd::Step::interior, [&] { sweep(Part::inside); });
    run(qcd::Step::wait, [&] {
      halo_.wait_incoming();
      if (options_.barrier) MPI_Barrier(comm_);
    });
    run(qcd::Step::unpack, [&] { deliver(); });
    if (!options_.overlap) run(qcd::Step::interior, [&] { sweep(Part::inside); });
    run(qcd::Step::boundary, [&] { sweep(Part::rim); });
    run(qcd::Step::sent, [&] { halo_.wait_outgoing(); });
  }

  const Sites& sites() const { return sites_; }
  int stored_rows() const { return rows_; }

 private:
  static std::array<std::size_t, dimensions> face_bytes(const Sites& sites) {
    std::array<std::size_t, dimensions> bytes{};
    for (int mu = 0; mu < dimensions; ++mu) {
      if (sites.divided[mu]) bytes[mu] = sizeof(BasicHalf<Real>) * static_cast<std::size_t>(sites.face(mu));
    }
    return bytes;
  }

  void hop(int parity, Part part, DeviceField<Real>& out, const DeviceField<Real>& in, const DeviceField<Real>* extra,
           Real factor) {
    const auto with = [&](auto body) {
      body.sites = sites_;
      body.parity = parity;
      body.part = part;
      body.factor = factor;
      body.links = links_[parity].data();
      body.in = in.data();
      body.extra = extra == nullptr ? nullptr : extra->data();
      for (int each = 0; each < 2 * directions; ++each) body.ghosts[each] = incoming_[each].data();
      body.out = out.data();
      device_.run(sites_.count(), body);
    };
    if (rows_ == colours) return with(Hop<Real, colours>{});
    with(Hop<Real, 2>{});
  }

  void pack(int parity, const DeviceField<Real>& in) {
    const auto with = [&](auto body, int mu) {
      body.sites = sites_;
      body.parity = parity;
      body.mu = mu;
      body.links = links_[parity].data();
      body.in = in.data();
      body.lower = outgoing_[2 * mu + static_cast<int>(Side::lower)].data();
      body.upper = outgoing_[2 * mu + static_cast<int>(Side::upper)].data();
      device_.run(sites_.face(mu), body);
    };
    for (int mu = 0; mu < directions; ++mu) {
      if (!sites_.divided[mu]) continue;
      rows_ == colours ? with(PackFaces<Real, colours>{}, mu) : with(PackFaces<Real, 2>{}, mu);
    }
    device_.finish();  // packing is not part of the messages, whose time begins here
  }

  // Packed faces to the host, received faces to the device.
  void fetch() {
    for (int mu = 0; mu < directions; ++mu) {
      for (const Side side : {Side::lower, Side::upper}) {
        if (sites_.divided[mu]) {
          const auto& face = outgoing_[2 * mu + static_cast<int>(side)];
          device_.read(halo_.outgoing(mu, side), face.data(), face.bytes());
        }
      }
    }
  }
  void deliver() {
    for (int mu = 0; mu < directions; ++mu) {
      for (const Side side : {Side::lower, Side::upper}) {
        if (!sites_.divided[mu]) continue;
        auto& face = incoming_[qcd::hop(mu, side == Side::upper ? qcd::Way::forward : qcd::Way::backward)];
        device_.write(face.data(), halo_.incoming(mu, side), face.bytes());
      }
    }
  }

  MPI_Comm comm_;
  Device& device_;
  Sites sites_;
  int rows_;
  HoppingOptions options_;
  Halo halo_;
  bool divided_ = false;
  std::array<Memory<Pack<Real>>, most_parities> links_;
  std::array<Memory<Pack<Real>>, 2 * directions> outgoing_;  // by 2 mu + side
  std::array<Memory<Pack<Real>>, 2 * directions> incoming_;  // by hop
};

}  // namespace tenken::lqcd::device
