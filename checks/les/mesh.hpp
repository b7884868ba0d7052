// The part of a rank: its elements with their nodes, in an order of choice, and the nodes that it shares with others.
//
// Nodes are numbered in two groups: those that belong to this rank (the lowest of the ranks that share a node has it),
// then those of others. Sums over all nodes of all ranks take the first group alone.
#pragma once

#include <cstdint>
#include <vector>

#include "box.hpp"
#include "parallel/neighbours.hpp"

namespace les {

enum class Order { natural, random, rcm };

struct Mesh {
  std::vector<std::int64_t> element;  // number in the box of each element
  std::vector<std::int64_t> node;     // and of each node
  std::vector<std::int32_t> corner;   // nodes of an element: [element][corner]
  std::int64_t own = 0;               // nodes that belong to this rank
  tenken::Lists shared;               // nodes of this rank and of others: for Exchange::add

  std::int64_t elements() const { return static_cast<std::int64_t>(element.size()); }
  std::int64_t nodes() const { return static_cast<std::int64_t>(node.size()); }
  std::int32_t at(std::int64_t e, int a) const { return corner[static_cast<std::size_t>(e * tenken::corners + a)]; }
};

// random: elements and nodes by random numbers of the box's own numbers, so that parts differ on other numbers of
// ranks, but the flow does not. rcm: nodes by reverse Cuthill-McKee, elements by their lowest node.
Mesh make_mesh(const Box& box, Order order, std::uint64_t seed, int rank, int ranks);

// Bytes that mesh and tables of an element take while they are made.
double mesh_bytes(std::int64_t elements);

// Colours: elements of one colour have no node in common. [colour] elements, ascending.
std::vector<std::vector<std::int32_t>> element_colours(const Mesh& mesh);

// Which element has node n as its corner a: [node][corner], -1 where there is none on this rank.
std::vector<std::int32_t> elements_of_nodes(const Mesh& mesh);

}  // namespace les
