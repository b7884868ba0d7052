#include "qcd/geometry.hpp"

#include <limits>
#include <string>

#include "base/error.hpp"

namespace tenken::qcd {

namespace {

const Index4& checked(const Index4& lattice) {
  for (int mu = 0; mu < directions; ++mu) {
    if (lattice[mu] < 2) {
      refuse("--lattice has extent " + std::to_string(lattice[mu]) + " in " + "xyzt"[mu] + "; 2 or more is needed");
    }
  }
  return lattice;
}

int checked_volume(const Decomposition& block) {
  if (block.volume() > std::numeric_limits<std::int32_t>::max() / 24) {
    refuse("--lattice gives each rank " + std::to_string(block.volume()) +
           " sites, more than 89 million; use more ranks");
  }
  return static_cast<int>(block.volume());
}

}  // namespace

Index4 moved(const Index4& lattice, Index4 x, int mu, int step) {
  x[mu] = (x[mu] + step + lattice[mu]) % lattice[mu];
  return x;
}

Geometry::Geometry(const Index4& lattice, const Index4& grid, int rank)
    : block(checked(lattice), grid, rank), sites(checked_volume(block)), neighbours(static_cast<std::size_t>(sites)) {
  const Index4& extents = block.extents();
  for (std::int32_t site = 0; site < sites; ++site) {
    const Index4 x = coordinates(site, extents);
    bool outside = false;
    for (int mu = 0; mu < directions; ++mu) {
      // Position in a face: the site's own with the coordinate mu left out.
      Index4 flat = x;
      Index4 flat_extents = extents;
      flat[mu] = 0;
      flat_extents[mu] = 1;
      const auto in_face = static_cast<std::int32_t>(position(flat, flat_extents));
      const bool first = x[mu] == 0;
      const bool last = x[mu] == extents[mu] - 1;
      const bool cut = block.divided(mu);
      const auto wrapped = [&](int step) {
        return static_cast<std::int32_t>(position(moved(extents, x, mu, step), extents));
      };
      neighbours[site][hop(mu, Way::forward)] = cut && last ? -1 - in_face : wrapped(+1);
      neighbours[site][hop(mu, Way::backward)] = cut && first ? -1 - in_face : wrapped(-1);
      if (cut && first) face[2 * mu + static_cast<int>(Side::lower)].push_back(site);
      if (cut && last) face[2 * mu + static_cast<int>(Side::upper)].push_back(site);
      outside = outside || (cut && (first || last));
    }
    (outside ? boundary : interior).push_back(site);
  }
}

Index4 Geometry::global(int site) const {
  Index4 x = coordinates(site, block.extents());
  const Index4 offset = block.offset();
  for (int mu = 0; mu < directions; ++mu) x[mu] += offset[mu];
  return x;
}

std::int64_t Geometry::global_position(int site) const { return position_of(global(site)); }

int Geometry::local(const Index4& x) const {
  Index4 inside = x;
  const Index4 offset = block.offset();
  for (int mu = 0; mu < directions; ++mu) {
    inside[mu] -= offset[mu];
    if (inside[mu] < 0 || inside[mu] >= block.extents()[mu]) return -1;
  }
  return static_cast<int>(position(inside, block.extents()));
}

}  // namespace tenken::qcd
