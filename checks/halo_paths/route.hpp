// A way by which the source planes of a face reach the halos of the two neighbours.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/table.hpp"
#include "cubes.hpp"
#include "measure/section.hpp"
#include "parallel/route_table.hpp"
#include "plane.hpp"

namespace halo_paths {

using Kind = tenken::RouteKind;
constexpr int kinds = tenken::route_kinds;

// The neighbours of this rank in a ring.
struct Ring {
  int lower = 0, upper = 0;
  int at(Side side) const { return side == Side::lower ? lower : upper; }
};

// The planes of a face, at both sides.
struct Planes {
  Face face = Face::xy;
  std::int64_t skip = 0;  // blocks left out at both ends
};

// Sections of the parts of a route; empty: the part is not timed.
struct Parts {
  std::optional<tenken::Leaf> pack{}, start{}, wait{}, unpack{};
};

class Part {
 public:
  explicit Part(const std::optional<tenken::Leaf>& leaf) {
    if (leaf) section_.emplace(*leaf);
  }

 private:
  std::optional<tenken::Section> section_;
};

class Route {
 public:
  virtual ~Route() = default;
  Route() = default;
  Route(const Route&) = delete;
  Route& operator=(const Route&) = delete;

  // `sample` grows with each exchange. Between start and finish the source planes may be read; after finish of all
  // ranks the halos are complete and the sources may be written.
  virtual void start(std::int64_t sample) = 0;
  virtual void finish(std::int64_t sample) = 0;
};

// Collective over the ranks of `cubes`; null on every rank where two neighbours have no way of this kind.
std::unique_ptr<Route> make_route(Kind kind, Cubes& cubes, const Planes& planes, const Ring& ring, const Parts& parts);

}  // namespace halo_paths
