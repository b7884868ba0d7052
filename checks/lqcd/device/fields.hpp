// Spinor fields and links of a rank's block on a device, filled from those of the host.
#pragma once

#include <array>

#include "device/device.hpp"
#include "qcd/gauge/extended.hpp"
#include "qcd/geometry.hpp"
#include "qcd/kernel.hpp"

namespace tenken::lqcd::device {

// How a block is numbered on the device: whole, or as a checkerboard. Throws UserError where a checkerboard needs even
// extents.
Sites sites_of(const qcd::Geometry& geometry, bool halved);

constexpr int most_parities = 2;
inline int parities_of(const Sites& sites) { return sites.halved ? 2 : 1; }

// Of the block, or of one parity of a checkerboard; not initialised.
template <class Real>
using DeviceField = Memory<Pack<Real>>;

template <class Real>
DeviceField<Real> make_device_field(Device& device, const Sites& sites) {
  return {device, static_cast<std::size_t>(spinor_packs<Real>) * static_cast<std::size_t>(sites.count()),
          "a spinor field"};
}

// Between a field of the host and sites of `parity` on the device.
template <class Real>
void write_field(Device& device, const Sites& sites, int parity, const qcd::Field& from, DeviceField<Real>& to);
template <class Real>
void read_field(Device& device, const Sites& sites, int parity, const DeviceField<Real>& from, qcd::Field& to);

// The links of the sites of `parity` and those that lead to them, `rows` of each (layout.hpp).
template <class Real>
Memory<Pack<Real>> make_device_links(Device& device, const Sites& sites, int parity, const qcd::ExtendedLinks& links,
                                     int rows);

extern template void write_field(Device&, const Sites&, int, const qcd::Field&, DeviceField<float>&);
extern template void write_field(Device&, const Sites&, int, const qcd::Field&, DeviceField<double>&);
extern template void read_field(Device&, const Sites&, int, const DeviceField<float>&, qcd::Field&);
extern template void read_field(Device&, const Sites&, int, const DeviceField<double>&, qcd::Field&);
extern template Memory<Pack<float>> make_device_links(Device&, const Sites&, int, const qcd::ExtendedLinks&, int);
extern template Memory<Pack<double>> make_device_links(Device&, const Sites&, int, const qcd::ExtendedLinks&, int);

}  // namespace tenken::lqcd::device
