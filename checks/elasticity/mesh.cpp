#include "mesh.hpp"

#include <algorithm>

#include "base/random.hpp"

namespace tenken::elasticity {

namespace {

constexpr int width = 1;  // of the halo: an element reaches one node further

}  // namespace

Mesh::Mesh(const Index<3>& nodes, const Index<3>& grid, int rank, double distortion, std::uint64_t seed)
    : block_(nodes, grid, {false, false, false}, rank),
      distortion_(distortion),
      seed_(seed),
      lists_(halo_lists(block_, width, Reach::corners)),
      items_(static_cast<std::size_t>(lists_.items), Pages::any, "numbers of nodes") {
  std::fill(items_.begin(), items_.end(), -1);
  std::int32_t next = 0;
  for (; next < own(); ++next) {
    const Index<3> cell = coordinates(next, block_.extents());
    items_[static_cast<std::size_t>(padded_item(block_, width, cell))] = next;
  }
  for (Neighbour& one : lists_.neighbours) {
    for (std::int32_t& item : one.receive) item = items_[static_cast<std::size_t>(item)] = next++;
    for (std::int32_t& item : one.send) item = items_[static_cast<std::size_t>(item)];
  }
  lists_.items = next;
}

double Mesh::bytes(const Index<3>& extents) {
  double padded = 1;
  for (const int each : extents) padded *= each + 2 * width;
  // Each number, and in lists and messages about three times each node of the halo.
  double own = 1;
  for (const int each : extents) own *= each;
  return 4 * padded + (padded - own) * (2 * 4 + 2 * 24);
}

Node Mesh::node(std::int64_t own) const {
  Node at = coordinates(own, block_.extents());
  for (std::size_t d = 0; d < 3; ++d) at[d] += block_.offset()[d];
  return at;
}

std::int32_t Mesh::item(const Node& node) const {
  Index<3> cell = node;
  for (std::size_t d = 0; d < 3; ++d) cell[d] -= block_.offset()[d];
  return items_[static_cast<std::size_t>(padded_item(block_, width, cell))];
}

bool Mesh::exists(const Node& node) const {
  for (std::size_t d = 0; d < 3; ++d) {
    if (node[d] < 0 || node[d] >= nodes()[d]) return false;
  }
  return true;
}

Point Mesh::place(const Node& node) const {
  Point at{};
  bool inside = distortion_ > 0;
  for (std::size_t d = 0; d < 3; ++d) {
    at[d] = node[d];
    inside = inside && node[d] > 0 && node[d] + 1 < nodes()[d];
  }
  if (!inside) return at;  // ends of the box stay planes, so that the load stays that of squares
  const RandomStream random(seed_, 0);
  for (std::size_t d = 0; d < 3; ++d) at[d] += distortion_ * (random.uniform(3 * number(node) + d) - 0.5);
  return at;
}

Hexahedron Mesh::element(const Node& lowest) const {
  Hexahedron element;
  for (int a = 0; a < corners; ++a) element[static_cast<std::size_t>(a)] = place(corner(lowest, a));
  return element;
}

}  // namespace tenken::elasticity
