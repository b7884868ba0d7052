#include "qcd/lanes/lanes.hpp"

#include <stdexcept>
#include <string>

#include "base/error.hpp"

namespace tenken::qcd {

namespace {

// Extents that can be cut, and still hold both parities.
bool can_be_cut(const Geometry& g, int mu) { return g.block.extents()[mu] % 4 == 0; }

}  // namespace

int widest_lanes(const Geometry& g, int most) {
  int width = 1;
  for (int mu = 0; mu < directions; ++mu) {
    const int extent = g.block.extents()[mu];
    if (extent % 2 != 0) {
      refuse(
          std::string("the block of a rank has extent ") + std::to_string(extent) + " in " + "xyzt"[mu] +
          "; even-odd solvers need a multiple of 2 here: " + (extent > 1 ? std::to_string(extent - 1) + " or " : "") +
          std::to_string(extent + 1) + " (change --lattice or --grid, or use --solver normal)");
    }
    if (can_be_cut(g, mu) && width < most) width *= 2;
  }
  return width;
}

Lanes::Lanes(const Geometry& g, int lanes, int fields)
    : width(lanes), together(fields), slot(static_cast<std::size_t>(g.sites)) {
  if (widest_lanes(g, width) < width) throw std::invalid_argument("lanes wider than widest_lanes of the block");
  const Index4& extents = g.block.extents();
  // Dimensions without messages first, so that whole vectors travel; t last, which threads share out.
  int found = 1;
  for (const bool divided : {false, true}) {
    for (int mu = 0; mu < directions && found < width; ++mu) {
      if (g.block.divided(mu) != divided || !can_be_cut(g, mu)) continue;
      split[mu] = 2;
      bit[mu] = found;
      found *= 2;
    }
  }

  for (int mu = 0; mu < directions; ++mu) outer[mu] = extents[mu] / split[mu];
  sites = static_cast<std::int32_t>(product(outer) / parities);
  const auto vector_at = [&](const Index4& x) { return static_cast<std::int32_t>(position(x, outer) / parities); };

  for (std::int32_t site = 0; site < g.sites; ++site) {
    Index4 x = coordinates(site, extents);
    std::int64_t lane = 0;
    for (int mu = 0; mu < directions; ++mu) {
      if (x[mu] >= outer[mu]) lane |= bit[mu];
      x[mu] %= outer[mu];
    }
    slot[static_cast<std::size_t>(site)] = std::int64_t{vector_at(x)} * width + lane;
  }

  for (int p = 0; p < parities; ++p) neighbours[p].resize(static_cast<std::size_t>(sites));
  for (std::int64_t at = 0; at < product(outer); ++at) {
    const Index4 x = coordinates(at, outer);
    const int p = parity(x);
    const std::int32_t v = vector_at(x);
    bool outside = false;
    for (int mu = 0; mu < directions; ++mu) {
      for (const Way way : {Way::forward, Way::backward}) {
        const bool forward = way == Way::forward;
        const bool rim = forward ? x[mu] == outer[mu] - 1 : x[mu] == 0;
        std::int32_t& entry = neighbours[p][static_cast<std::size_t>(v)][hop(mu, way)];
        if (rim && g.block.divided(mu)) {
          auto& list = face[p][2 * mu + static_cast<int>(forward ? Side::upper : Side::lower)];
          entry = -1 - together * static_cast<std::int32_t>(list.size());
          list.push_back(v);
          outside = true;
        } else {
          entry = 2 * together * vector_at(moved(outer, x, mu, forward ? +1 : -1)) + (rim && split[mu] == 2 ? 1 : 0);
        }
      }
    }
    (outside ? boundary : interior)[p].push_back(v);
  }
}

void Lanes::forget_swaps() {
  for (auto& of_parity : neighbours) {
    for (auto& entries : of_parity) {
      for (std::int32_t& entry : entries) {
        if (entry >= 0) entry &= ~1;
      }
    }
  }
}

}  // namespace tenken::qcd
