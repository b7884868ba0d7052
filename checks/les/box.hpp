// The box of elements, as a whole: places of nodes, and which rank has which element. Nothing here is stored by
// element, so that a rank makes its part alone.
#pragma once

#include <cstdint>

#include "numerics/hexahedron.hpp"
#include "parallel/partition.hpp"

namespace les {

using Cells = tenken::Index<3>;  // of the whole box: place of an element, or of a node

struct Box {
  Cells cells{};                   // elements in x, y and z
  tenken::Point side{};            // of the box
  tenken::Periodic<3> periodic{};  // nodes of both ends are one
  double stretch = 0;              // 0: even spacing; else nodes are drawn towards walls by tanh(stretch * s)
  double distortion = 0;           // nodes move smoothly by up to so many sides of the box; walls stay planes

  std::int64_t elements() const { return tenken::product<3>(cells); }
  Cells nodes() const;  // different nodes in x, y and z
  std::int64_t number_of_nodes() const { return tenken::product<3>(nodes()); }

  // x fastest. `node` may lie one beyond a periodic end: it is the node of the other end.
  std::int64_t element_number(const Cells& element) const { return tenken::position<3>(element, cells); }
  std::int64_t node_number(const Cells& node) const;

  // Of corner a of an element.
  Cells node_of(const Cells& element, int a) const;
  // Where it is. A node one beyond a periodic end lies there, not at the other end.
  tenken::Point place(const Cells& node) const;
  tenken::Hexahedron hexahedron(const Cells& element) const;
  bool on_wall(const Cells& node) const;
  // The element that has the node as its corner a; false where there is none.
  bool element_at(const Cells& node, int a, Cells& element) const;
};

// The block of elements of a rank: recursive bisection of the box across its longest direction, in shares of ranks.
struct Block {
  Cells first{}, last{};  // one beyond

  Cells extents() const { return {last[0] - first[0], last[1] - first[1], last[2] - first[2]}; }
};

// Throws UserError (refused) where a rank has no element.
Block block_of(const Box& box, int rank, int ranks);
int owner_of(const Box& box, const Cells& element, int ranks);

}  // namespace les
