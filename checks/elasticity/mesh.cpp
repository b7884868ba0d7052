#include "mesh.hpp"

#include "base/random.hpp"

namespace tenken::elasticity {

Mesh::Mesh(const Index<3>& nodes, const Index<3>& grid, int rank, double distortion, std::uint64_t seed)
    : block_(nodes, grid, {false, false, false}, rank),
      distortion_(distortion),
      seed_(seed),
      numbering_(block_, Reach::corners) {}

double Mesh::bytes(const Index<3>& extents) { return Numbering<3>::bytes(extents, 3 * sizeof(double)); }

Node Mesh::node(std::int64_t own) const {
  Node at = coordinates(own, block_.extents());
  for (std::size_t d = 0; d < 3; ++d) at[d] += block_.offset()[d];
  return at;
}

std::int32_t Mesh::item(const Node& node) const {
  Index<3> cell = node;
  for (std::size_t d = 0; d < 3; ++d) cell[d] -= block_.offset()[d];
  return numbering_.item(cell);
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
