#include "device/fields.hpp"

#include <string>
#include <vector>

#include "base/error.hpp"

namespace tenken::lqcd::device {

namespace {

Index4 index_of(const Point& x) { return {x.at[0], x.at[1], x.at[2], x.at[3]}; }

// The local site of the host that is site i of `parity` on the device.
std::size_t host_site(const Sites& sites, int parity, std::int32_t i) {
  const Index4 extents{sites.extent[0], sites.extent[1], sites.extent[2], sites.extent[3]};
  return static_cast<std::size_t>(position(index_of(sites.coordinates(parity, i)), extents));
}

constexpr int spinor_numbers = 2 * spins * colours;

}  // namespace

Sites sites_of(const qcd::Geometry& geometry, bool halved) {
  Sites sites{};
  sites.halved = halved;
  for (int mu = 0; mu < directions; ++mu) {
    const int extent = geometry.block.extents()[mu];
    if (halved && extent % 2 != 0) {
      refuse(
          std::string("the block of a rank has extent ") + std::to_string(extent) + " in " + "xyzt"[mu] +
          "; even-odd solvers need a multiple of 2 here: " + (extent > 1 ? std::to_string(extent - 1) + " or " : "") +
          std::to_string(extent + 1) + " (change --lattice or --grid, or use --solver normal)");
    }
    sites.extent[mu] = extent;
    sites.divided[mu] = geometry.block.divided(mu);
  }
  return sites;
}

template <class Real>
void write_field(Device& device, const Sites& sites, int parity, const qcd::Field& from, DeviceField<Real>& to) {
  std::vector<Pack<Real>> packed(to.size());
  const std::int32_t n = sites.count();
#pragma omp parallel for schedule(static)
  for (std::int32_t i = 0; i < n; ++i) {
    const double* const numbers = &from[host_site(sites, parity, i)].at[0][0].re;
    Real here[spinor_numbers];
    for (int m = 0; m < spinor_numbers; ++m) here[m] = static_cast<Real>(numbers[m]);
    store<spinor_packs<Real>>(packed.data(), here, n, i);
  }
  device.write(to.data(), packed.data(), to.bytes());
}

template <class Real>
void read_field(Device& device, const Sites& sites, int parity, const DeviceField<Real>& from, qcd::Field& to) {
  std::vector<Pack<Real>> packed(from.size());
  device.read(packed.data(), from.data(), from.bytes());
  const std::int32_t n = sites.count();
#pragma omp parallel for schedule(static)
  for (std::int32_t i = 0; i < n; ++i) {
    Real here[spinor_numbers];
    load<spinor_packs<Real>>(here, packed.data(), n, i);
    double* const numbers = &to[host_site(sites, parity, i)].at[0][0].re;
    for (int m = 0; m < spinor_numbers; ++m) numbers[m] = static_cast<double>(here[m]);
  }
}

template <class Real>
Memory<Pack<Real>> make_device_links(Device& device, const Sites& sites, int parity, const qcd::ExtendedLinks& links,
                                     int rows) {
  const std::int32_t n = sites.count();
  const int numbers = 4 * rows * colours;  // of a site and direction
  const int packs = numbers / Pack<Real>::numbers;
  const std::size_t of_direction = static_cast<std::size_t>(packs) * static_cast<std::size_t>(n);
  Memory<Pack<Real>> made(device, directions * of_direction, "links");
  std::vector<Pack<Real>> packed(of_direction);  // a direction at a time, for the host's memory
  for (int mu = 0; mu < directions; ++mu) {
#pragma omp parallel for schedule(static)
    for (std::int32_t i = 0; i < n; ++i) {
      const Index4 x = index_of(sites.coordinates(parity, i));
      Index4 behind = x;
      --behind[mu];
      const qcd::Link* const pair[2] = {&links.at(x, mu), &links.at(behind, mu)};
      for (int m = 0; m < numbers; ++m) {
        const int entry = m / 4;
        const auto& value = pair[m / 2 % 2]->at[entry / colours][entry % colours];
        const std::size_t at = static_cast<std::size_t>(m / Pack<Real>::numbers) * static_cast<std::size_t>(n) +
                               static_cast<std::size_t>(i);
        packed[at].at[m % Pack<Real>::numbers] = static_cast<Real>(m % 2 == 0 ? value.re : value.im);
      }
    }
    device.write(made.data() + mu * of_direction, packed.data(), of_direction * sizeof(Pack<Real>));
  }
  return made;
}

template void write_field(Device&, const Sites&, int, const qcd::Field&, DeviceField<float>&);
template void write_field(Device&, const Sites&, int, const qcd::Field&, DeviceField<double>&);
template void read_field(Device&, const Sites&, int, const DeviceField<float>&, qcd::Field&);
template void read_field(Device&, const Sites&, int, const DeviceField<double>&, qcd::Field&);
template Memory<Pack<float>> make_device_links(Device&, const Sites&, int, const qcd::ExtendedLinks&, int);
template Memory<Pack<double>> make_device_links(Device&, const Sites&, int, const qcd::ExtendedLinks&, int);

}  // namespace tenken::lqcd::device
