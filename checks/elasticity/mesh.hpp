// The mesh of GeoFEM-Cube: a box of hexahedra of side 1, its nodes cut into a block a rank. A rank numbers its own
// nodes x fastest, then those of others that its elements touch, neighbour by neighbour, so that each message arrives
// where it is used.
#pragma once

#include <cstdint>

#include "element.hpp"
#include "parallel/numbering.hpp"

namespace tenken::elasticity {

using Node = Index<3>;  // place of a node in the whole box

class Mesh {
 public:
  // distortion: nodes inside of the box are moved by up to half of it in each direction, at most 0.4 so that elements
  // stay valid; by a random number of the node, the same on any number of ranks.
  Mesh(const Index<3>& nodes, const Index<3>& grid, int rank, double distortion, std::uint64_t seed);

  // Bytes that a mesh takes for a block of so many nodes in each direction.
  static double bytes(const Index<3>& extents);

  const Index<3>& nodes() const { return block_.cells(); }
  const Partition<3>& block() const { return block_; }
  const Lists& lists() const { return numbering_.lists(); }
  bool distorted() const { return distortion_ > 0; }

  std::int64_t own() const { return block_.volume(); }
  std::int64_t items() const { return numbering_.items(); }  // own ones, then those of others
  Node node(std::int64_t own) const;
  std::int32_t item(const Node& node) const;  // of a node that this rank has or receives

  std::uint64_t number(const Node& node) const { return static_cast<std::uint64_t>(position(node, nodes())); }
  Point place(const Node& node) const;
  bool exists(const Node& node) const;

  // The element whose lowest node is `lowest`.
  Hexahedron element(const Node& lowest) const;
  static Node corner(const Node& lowest, int a) {
    return {lowest[0] + upper(a, 0), lowest[1] + upper(a, 1), lowest[2] + upper(a, 2)};
  }
  // Calls use(lowest, a) for each element that has the node as its corner a: up to eight.
  template <class Use>
  void for_elements_of(const Node& node, const Use& use) const {
    for (int a = corners - 1; a >= 0; --a) {
      const Node lowest{node[0] - upper(a, 0), node[1] - upper(a, 1), node[2] - upper(a, 2)};
      if (exists(lowest) && exists(corner(lowest, corners - 1))) use(lowest, a);
    }
  }

 private:
  Partition<3> block_;
  double distortion_;
  std::uint64_t seed_;
  Numbering<3> numbering_;
};

// Symmetry planes: ux = 0 at x = 0, uy = 0 at y = 0, uz = 0 at z = 0.
inline bool held(const Node& node, int direction) { return node[static_cast<std::size_t>(direction)] == 0; }

// Under a traction of 1 at the upper end of z the displacement is linear, whatever the mesh.
inline Point exact_displacement(const Point& at, const Material& material) {
  return {-material.poisson * at[0] / material.young, -material.poisson * at[1] / material.young,
          at[2] / material.young};
}

}  // namespace tenken::elasticity
